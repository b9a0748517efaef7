/* The parts of a compiled schema, for the files of this folder. */
#ifndef PERIGEE_JSON_SCHEMA_RULES_H
#define PERIGEE_JSON_SCHEMA_RULES_H

#include "json/arena.h"
#include "json/document.h"
#include "json/pattern/regex.h"
#include "json/schema/schema.h"

/* Types as bits; a whole number has both NUMBER and INTEGER. */
enum {
    TYPE_NULL = 1,
    TYPE_BOOLEAN = 2,
    TYPE_INTEGER = 4,
    TYPE_NUMBER = 8,
    TYPE_STRING = 16,
    TYPE_ARRAY = 32,
    TYPE_OBJECT = 64
};

struct pattern {
    struct pattern *next; /* the schema's next one */
    const cJSON *source;  /* the "pattern" or the member of "patternProperties" */
    struct str text;
    struct regex *regex; /* NULL until first needed */
};

/* Some rules, one after another. */
struct rules {
    const struct rule **list;
    size_t count;
};

struct number_rule {
    double least, most, step; /* where has_* says so */
    bool has_least, has_most, has_step;
    bool above, below; /* least and most themselves are out */
};

struct string_rule {
    size_t least, most; /* code points */
    struct pattern *pattern;
};

struct array_rule {
    size_t least, most;
    struct rules prefix;
    const struct rule *items; /* behind the prefix */
    const struct rule *contains;
    size_t contains_least, contains_most;
    bool unique;
};

/* Everything the schema says about one property name. */
struct property {
    const char *name;
    const char *also; /* another name, for messages; or NULL */
    uint32_t hash;
    const struct rule *rule;      /* from "properties" */
    const struct rule *then_rule; /* from "dependentSchemas" */
    const size_t *needs;          /* from "dependentRequired": indexes of properties */
    size_t need_count;
    bool required;
};

struct pattern_property {
    struct pattern *pattern;
    const struct rule *rule;
};

struct object_rule {
    size_t least, most;
    struct property *properties; /* declared in it, required by it, ... */
    size_t count;
    uint32_t *slots; /* hash table of indexes + 1; its size is mask + 1 */
    uint32_t mask;
    size_t required_count;
    bool dependencies; /* some property has needs or then_rule */
    struct pattern_property *patterns;
    size_t pattern_count;
    const struct rule *additional, *names;
};

/* Other rules for the same value. */
struct logic_rule {
    const struct rule *ref;
    struct rules all, any, one;
    const struct rule *not_rule, *if_rule, *then_rule, *else_rule;
    const struct rule *unevaluated_items, *unevaluated_properties;
};

/* One schema. What is not said is NULL, empty or 0. */
struct rule {
    const cJSON *source;
    size_t base;          /* number of the resource it is part of */
    unsigned types;       /* 0: any */
    bool never;           /* the schema `false` */
    const cJSON *options; /* "enum" */
    const cJSON *constant;
    struct number_rule *number;
    struct string_rule *string;
    struct array_rule *array;
    struct object_rule *object;
    struct logic_rule *logic;
};

struct schema {
    struct arena arena;   /* holds this struct and all rules */
    struct json_doc *doc; /* our copy of the source; nodes carry the number of their rule */
    const struct rule *root;
    struct pattern *patterns;
};

/* The hash of a name, and its length. */
static inline uint32_t schema_hash(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash ^ hash >> 15;
}

/* NULL if the schema does not name it. */
static inline const struct property *schema_property(const struct object_rule *object,
                                                     const char *name)
{
    uint32_t hash = schema_hash(name);

    if (!object->slots)
        return NULL;
    for (uint32_t i = hash & object->mask; object->slots[i]; i = (i + 1) & object->mask) {
        const struct property *property = &object->properties[object->slots[i] - 1];

        if (property->hash == hash && strcmp(property->name, name) == 0)
            return property;
    }
    return NULL;
}

#endif
