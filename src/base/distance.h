/* How far a mistyped name is from one that is known. */
#ifndef PERIGEE_BASE_DISTANCE_H
#define PERIGEE_BASE_DISTANCE_H

#include "base/util.h"

enum { DISTANCE_FAR = 1000, DISTANCE_NAME = 64 };

/* Characters to change, add, drop or swap with their neighbor. DISTANCE_FAR when one
 * has more than DISTANCE_NAME. */
size_t edit_distance(const uint32_t *a, size_t a_len, const uint32_t *b, size_t b_len);

/* The same of bytes; 0 for names that differ in case only. */
size_t name_distance(const char *a, const char *b);

/* How far a name may be from what was typed to be what was meant: one letter, and one
 * more for every three; nothing of a single letter. */
size_t name_reach(const char *typed);

/* The nearest of some names to one that was typed. Begin with nothing but `typed`. */
struct nearest_name {
    const char *typed;
    const char *found; /* NULL: none is near. Borrowed */
    size_t apart;
};
void nearest_name_try(struct nearest_name *nearest, const char *name);

/* " (did you mean 'NAME'?)", or nothing. */
struct nearest_text {
    char text[DISTANCE_NAME + 32];
};
struct nearest_text nearest_name_text(const struct nearest_name *nearest);

#endif
