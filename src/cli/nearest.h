/* Names that a mistyped one may have meant. */
#ifndef PERIGEE_CLI_NEAREST_H
#define PERIGEE_CLI_NEAREST_H

#include <stddef.h>

enum { NEAREST_MAX = 5 };

/* The best few candidates so far. Zeroed memory is none. */
struct nearest {
    const char *names[NEAREST_MAX]; /* borrowed, nearest first */
    size_t scores[NEAREST_MAX];
    size_t count;
};

/* Keeps `name` if it resembles `wanted`: a few letters apart, or one holds the other. */
void nearest_add(struct nearest *nearest, const char *wanted, const char *name);

/* "did you mean a, b or c?" behind `before`, each name behind `prefix`; or "" if there are none.
 * Borrowed until the next call. */
const char *nearest_text(const struct nearest *nearest, const char *before, const char *prefix);

#endif
