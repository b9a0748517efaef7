/* The rules of a schema that may be about a value, whatever the value is: they decide what the
 * audit log hides. */
#ifndef PERIGEE_AUDIT_DESCRIBED_H
#define PERIGEE_AUDIT_DESCRIBED_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/buf.h"

enum { DESCRIBED_MOST = 24 };

/* They belong to the schema. */
struct described {
    const cJSON *whole; /* where "$ref" leads */
    const cJSON *rules[DESCRIBED_MOST];
    size_t count;
    bool unknown; /* there are more, or one that was not found */
};

/* Gives those about the value that the schema describes; NULL: there is none. */
void described_whole(struct described *out, const cJSON *schema);

/* Gives those about a member of such a value, or about an item where the name is NULL. */
void described_inner(struct described *out, const struct described *outer, const struct str *name);

/* Does one of them say that it is a secret (`writeOnly`, `format: "password"`), or may one that is
 * not known? */
bool described_is_secret(const struct described *described);

/* Does each of them list the values that there are? */
bool described_is_listed(const struct described *described);

#endif
