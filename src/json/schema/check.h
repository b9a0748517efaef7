/* A check while it runs: for the files of this folder. */
#ifndef PERIGEE_JSON_SCHEMA_CHECK_H
#define PERIGEE_JSON_SCHEMA_CHECK_H

#include "base/buf.h"
#include "json/schema/rules.h"

/* Where a value is; the chain lives on the C stack. NULL is the whole. */
struct value_place {
    const struct value_place *up;
    const char *name; /* the name of a member; NULL: an item of an array */
    size_t index;
};

enum { ISSUES_MAX = 5, CHECK_DEPTH_MAX = 1000, CHECK_STEPS_MAX = 5000000 };

struct issues {
    struct buf text; /* joined by "; " */
    unsigned count, max;
    bool nested; /* part of a longer problem, at `here`: that place was named */
    const struct value_place *here;
};

struct check {
    struct issues *issues; /* NULL while only yes or no is asked */
    struct error *err;
    bool given_up; /* err says why; everything is false from here on */
    unsigned depth;
    size_t steps;
};

/* Marks the children of an array or object that a rule has dealt with, a byte for each; NULL if no
 * caller needs them. The marks of a rule that does not fit mean nothing. */
typedef unsigned char mark;

bool check_rule(struct check *c, const struct rule *rule, const cJSON *value,
                const struct value_place *place, mark *marks);
bool check_array(struct check *c, const struct array_rule *rule, const cJSON *value,
                 const struct value_place *place, mark *marks);
bool check_object(struct check *c, const struct object_rule *rule, const cJSON *value,
                  const struct value_place *place, mark *marks);

/* Checks the rest of the children by "unevaluatedItems" and "unevaluatedProperties". */
bool check_rest(struct check *c, const struct rule *rule, const cJSON *value,
                const struct value_place *place, mark *marks);

/* "enum" and "const" alone. */
bool check_values(const struct rule *rule, const cJSON *value);

/* An error while matching gives the check up. */
bool check_pattern(struct check *c, struct pattern *pattern, struct str text);

/* Counts one step of work; false when it is too much. */
bool check_step(struct check *c);

size_t check_count(const cJSON *parent);
unsigned check_types(const cJSON *value);

/* Does it make sense to look for more problems? */
static inline bool check_more(const struct check *c, bool fits)
{
    return fits || (c->issues && !c->given_up && c->issues->count < c->issues->max);
}

#endif
