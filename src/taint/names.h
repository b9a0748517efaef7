/* A set of words. */
#ifndef PERIGEE_TAINT_NAMES_H
#define PERIGEE_TAINT_NAMES_H

#include "base/buf.h"

/* Zeroed memory is an empty set. */
struct names {
    struct buf text; /* lengths and words, one after the other */
    uint32_t *slots; /* where each word begins in `text`, plus 1; 0: free */
    size_t room;     /* slots; 0 or a power of two */
    size_t count;
};

void names_free(struct names *names); /* leaves an empty set */

/* Adds a word; adding it twice is harmless. */
void names_add(struct names *names, struct str word);

bool names_has(const struct names *names, struct str word);

#endif
