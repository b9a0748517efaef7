/* Reading a JSON Schema for what people type: which types a value may have, and
 * what is said of a property. Looks through $ref (within the document), allOf,
 * anyOf and oneOf; everything that is not understood allows nothing in
 * particular. Works on the schema's text, not the compiled one. */
#ifndef PERIGEE_CLI_SCHEMA_TYPES_H
#define PERIGEE_CLI_SCHEMA_TYPES_H

#include <cjson/cJSON.h>
#include <stdbool.h>

enum {
    SCHEMA_NULL = 1,
    SCHEMA_BOOLEAN = 2,
    SCHEMA_INTEGER = 4,
    SCHEMA_NUMBER = 8,
    SCHEMA_STRING = 16,
    SCHEMA_ARRAY = 32,
    SCHEMA_OBJECT = 64,
};

/* `root` is the whole schema, for $ref; `schema` may be NULL: 0. */
unsigned schema_types(const cJSON *root, const cJSON *schema);

/* The schema of the items of a list, or of a member of an object (also one that only
 * additionalProperties speaks of); NULL if there is none. */
const cJSON *schema_items(const cJSON *root, const cJSON *schema);
const cJSON *schema_property_of(const cJSON *root, const cJSON *schema, const char *name);

/* Is there a property of exactly this name? */
bool schema_declares(const cJSON *root, const cJSON *schema, const char *name);

#endif
