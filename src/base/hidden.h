/* Characters that text from outside can hide words with: what nobody sees, what turns the reading
 * direction, what drives a terminal. */
#ifndef PERIGEE_BASE_HIDDEN_H
#define PERIGEE_BASE_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C0, DEL, C1, U+00AD, U+061C, U+200B-200F, U+2028-202E, U+2060-206F, U+FEFF, U+FFF9-FFFB,
 * U+E0000-E007F. Line ends and tabs are among them, and the joiners U+200C and U+200D. */
bool hidden_is(uint32_t point);

bool hidden_is_joiner(uint32_t point);   /* U+200C, U+200D */
bool hidden_is_selector(uint32_t point); /* variation selectors: U+FE00-FE0F, U+E0100-E01EF */

/* Whether it may be left as it is between these two, 0 for none: a joiner between characters beyond
 * ASCII, a selector behind what it may select, and whatever is not hidden. */
bool hidden_stays(uint32_t point, uint32_t before, uint32_t after);

/* The bytes of a hidden character beyond ASCII that begins at `at` (UTF-8), and which it is; 0:
 * none does. Joiners are none: scripts and emoji need them. */
size_t hidden_character(const char *at, size_t len, unsigned *point);

#endif
