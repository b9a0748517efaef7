/* Is a request's head what RFC 9112 wants? A reader that forgives and one that does not, one behind
 * the other, take the same bytes for different requests: that is how requests are smuggled. */
#ifndef PERIGEE_HTTP_REQUEST_HEAD_H
#define PERIGEE_HTTP_REQUEST_HEAD_H

#include "base/util.h"

/* Headers of which there may be one. */
enum { REQUEST_HEAD_ONCE = 5 };

/* The fields of the lines before that may occur once. Zeroed memory: none. */
struct request_fields {
    bool seen[REQUEST_HEAD_ONCE];
};

/* The fault of a header, given those before it: a sentence without its dot; NULL: none. */
const char *request_field_fault(struct request_fields *before, struct str name, struct str value);

/* A method, or the name of a header. */
bool request_token(struct str text);

struct request_limits {
    size_t bytes;  /* the head */
    size_t memory; /* the memory that its reader needs for it */
};

struct request_fault {
    int status;       /* status of the answer */
    const char *text; /* a sentence without its dot */
};

enum request_head { REQUEST_HEAD_PART, REQUEST_HEAD_WHOLE, REQUEST_HEAD_WRONG };

/* Judges the bytes of a head that have arrived, and what may follow it. A fault, which is said for
 * REQUEST_HEAD_WRONG, is found with the line that has it. */
enum request_head request_head_judge(struct str bytes, const struct request_limits *limits,
                                     struct request_fault *fault);

#endif
