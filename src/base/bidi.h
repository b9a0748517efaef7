/* Characters that turn the reading direction: what is shown then stands in another order than it
 * is. */
#ifndef PERIGEE_BASE_BIDI_H
#define PERIGEE_BASE_BIDI_H

#include <stddef.h>

/* The bytes of such a character that begins at `at`, and which it is (U+061C, U+200E, U+200F,
 * U+202A to U+202E, U+2066 to U+2069); 0: none does. */
size_t bidi_control(const char *at, size_t len, unsigned *point);

#endif
