/* How far a mistyped name is from one that is known. */
#ifndef PERIGEE_BASE_DISTANCE_H
#define PERIGEE_BASE_DISTANCE_H

#include "base/util.h"

enum { DISTANCE_FAR = 1000, DISTANCE_NAME = 64 };

/* Letters to change, add, drop or swap with their neighbour; 0 for names that differ
 * in case only. DISTANCE_FAR when one is longer than DISTANCE_NAME bytes. */
size_t name_distance(const char *a, const char *b);

/* How far a name may be from what was typed to be what was meant: one letter, and one
 * more for every three. */
size_t name_reach(const char *typed);

#endif
