/* A schema while it is compiled: for the files of this folder.
 *
 * Three steps: every place where a schema may stand gets an empty rule, an
 * identifier or an anchor is noted on the way (scope.c); each rule is
 * filled in from its keywords (keywords.c), which may find more
 * schemas by reference; loops are looked for at the end (compile.c). */
#ifndef PERIGEE_JSON_SCHEMA_COMPILE_H
#define PERIGEE_JSON_SCHEMA_COMPILE_H

#include "base/buf.h"
#include "json/schema/rules.h"

/* A schema with an identifier of its own; number 0 is the whole. */
struct resource {
    char *uri; /* owned; empty for a whole without "$id" */
    const cJSON *node;
};

struct anchor {
    const char *name;
    size_t resource;
    const cJSON *node;
};

struct compiler {
    struct schema *schema;
    cJSON *root;
    struct error *err;
    struct rule **rules;
    size_t rule_count, rule_room;
    struct resource *resources;
    size_t resource_count;
    struct anchor *anchors;
    size_t anchor_count;
    bool strict; /* schema_compile_strict() */
};

/* Reads the keywords of rule->source (keywords.c). */
bool rule_fill(struct compiler *c, struct rule *rule);

#endif
