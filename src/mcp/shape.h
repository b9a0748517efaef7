/* Shapes that the protocol gives to values from outside, and a function that makes values fit.
 *
 * One table (shapes.c) has a shape for every list, result and question that a server may send.
 * A value that does not fit never reaches Lua or our own clients:
 * - null for an optional member: the member is taken out, without a word.
 * - an optional member of a wrong type: it is taken out and reported.
 * - a wrong item of a list of definitions (tools, prompts, ...): it is taken out and reported.
 * - anything else: the whole value is refused.
 * Members that no shape names stay as they are. */
#ifndef PERIGEE_MCP_SHAPE_H
#define PERIGEE_MCP_SHAPE_H

#include <cjson/cJSON.h>

#include "base/error.h"

struct shape;

/* The types that a value may have, or-ed. */
enum shape_type {
    SHAPE_NULL = 1,
    SHAPE_TRUTH = 2,
    SHAPE_NUMBER = 4,
    SHAPE_TEXT = 8,
    SHAPE_LIST = 16,
    SHAPE_OBJECT = 32,
};

enum shape_need {
    SHAPE_OPTIONAL, /* wrong: taken out and reported */
    SHAPE_STRICT,   /* optional, but wrong is wrong */
    SHAPE_REQUIRED,
};

/* A member of an object; a table of them ends with one that has no name. */
struct shape_member {
    const char *name;
    const struct shape *shape;
    enum shape_need need;
};

struct shape {
    unsigned types;                     /* 0: any, but null counts as absent */
    const struct shape_member *members; /* members of an object */
    const struct shape *values;         /* each member of an object that `members` lack */
    const struct shape *items;          /* items of a list */
    bool picky;                         /* wrong items or values are taken out, others stay */
    /* A further shape, by the value's own word for itself; NULL: none. */
    const struct shape *(*more)(const cJSON *node);
};

/* Told of each thing taken out: one sentence. */
typedef void shape_report(void *arg, const char *text);

/* Makes `value` fit. The tree is of a document (json/document.h) that this caller alone uses.
 * name: what messages call it. False: code "protocol" and a text that names the path. */
bool shape_fit(const struct shape *shape, cJSON *value, const char *name, shape_report *report,
               void *arg, struct error *err);

/* The shape of this result of a method, and of the parameters of a question (elicitation/create,
 * ...); NULL: whatever comes is right. */
const struct shape *shape_of_result(const char *method, const cJSON *result);
const struct shape *shape_of_question(const char *method);

#endif
