/* The part of a call's arguments that a line of the audit log shows: enough to see the request, no
 * secrets, and never much. */
#ifndef PERIGEE_AUDIT_ARGUMENTS_H
#define PERIGEE_AUDIT_ARGUMENTS_H

#include <cjson/cJSON.h>

#include "base/buf.h"

enum {
    AUDIT_TEXT_MAX = 200,      /* bytes of a string that are shown */
    AUDIT_ARGUMENTS_MAX = 2500 /* bytes that audit_arguments() appends, about: the line has 4 kB */
};

/* Appends the arguments as one JSON value.
 * - A secret (by its name, `writeOnly` or `format: "password"` in any part of the schema that may
 * be about it) and what is typed or written (`text`, `value`, `body`, ...; not if the schema has an
 * `enum` for it) is {"bytes":N}.
 * - A longer string is {"text":"its beginning","bytes":N}.
 * - Secrets of the log (log_add_secret()) are ***; so is a number that has one in it.
 * - What there is no room for, or is too deep, is counted: {"left_out":N}.
 * Both may be NULL; the schema is a tool's inputSchema. */
void audit_arguments(const cJSON *args, const cJSON *input_schema, struct buf *out);

/* Is what has this name a secret, whatever it is? */
bool audit_is_secret(struct str name);

/* Takes every text out of arguments that audit_arguments() wrote, as it would have been as a
 * secret: `members` are those of a line, without braces, among them "args". */
void audit_hide_texts(struct buf *members);

/* Appends one string in the same way, for other members: names that clients chose, ... */
void audit_string(struct buf *out, const char *text, size_t len);

/* Writes what is no argument, such as the members of a line: whole, but without secrets. */
void audit_value(struct buf *out, const cJSON *value);

#endif
