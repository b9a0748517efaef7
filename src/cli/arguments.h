/* `key=value` and `key:=json` words as a tool's arguments. */
#ifndef PERIGEE_CLI_ARGUMENTS_H
#define PERIGEE_CLI_ARGUMENTS_H

#include <cjson/cJSON.h>

#include "base/error.h"

/* Arguments as they are put together; owns its tree. */
struct arguments {
    cJSON *object;
    const cJSON *schema; /* the tool's inputSchema; borrowed */
};

void arguments_init(struct arguments *arguments, const cJSON *schema);
void arguments_free(struct arguments *arguments);

/* Starts from a whole JSON object: its text, or "@FILE", or "-" for stdin. */
bool arguments_read(struct arguments *arguments, const char *source, struct error *err);

/* One word. In `key=value` the value becomes what the schema says of the key: a
 * number, true or false, a list (a,b,c, or the key given again), an object (as
 * JSON); where the text does not read as that, and where the schema is silent,
 * it stays a text and the check against the schema has the last word. `a.b=1`
 * sets b within a, unless there is a property named a.b. */
bool arguments_add(struct arguments *arguments, const char *word, struct error *err);

#endif
