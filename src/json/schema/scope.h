/* Finds the rule for a schema, or for a reference to one. */
#ifndef PERIGEE_JSON_SCHEMA_SCOPE_H
#define PERIGEE_JSON_SCHEMA_SCOPE_H

#include "json/schema/compile.h"

/* Empty rules for this schema and all schemas in it. The second takes the base from a place. */
bool scope_collect(struct compiler *c, cJSON *node, size_t base);

/* The rule of a schema that scope_collect() has seen; NULL if it has not. */
struct rule *scope_rule(const struct compiler *c, const cJSON *node);

/* The rule that a "$ref" in this rule points to; NULL with an error at `ref`. */
struct rule *scope_resolve(struct compiler *c, const struct rule *rule, const cJSON *ref);

#endif
