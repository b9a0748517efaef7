/* Numbers that a double cannot hold, kept as they were written, so that what only passes through
 * does not change. The node of such a number has its text as `valuestring`; it is a number in every
 * other respect. */
#ifndef PERIGEE_JSON_DIGITS_H
#define PERIGEE_JSON_DIGITS_H

#include <cjson/cJSON.h>

#include "base/util.h"
#include "json/arena.h"

/* A number shorter than this is the same after a double. */
enum { DIGITS_LONG = 16 };

/* Gives the long numbers of a tree their texts, kept in the arena; `text` is what it was made of.
 */
void digits_keep(struct arena *arena, cJSON *root, const char *text, size_t len);

/* The text of a number that its double does not have; NULL: the double is enough. */
const char *digits_of(const cJSON *number);

/* Is this text an integer of 64 bits? */
bool digits_integer(const char *text, int64_t *out);

#endif
