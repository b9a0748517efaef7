/* Texts that are counted in UTF-16 units, as AX and Qt do, and in characters, as we do. */
#ifndef PERIGEE_PLATFORM_UNITS_H
#define PERIGEE_PLATFORM_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* The units, and the bytes, before this character of the text (UTF-8); all of them if there are
 * fewer characters. */
int64_t units_at(const char *text, int character);
size_t units_byte(const char *text, int character);

/* The number of characters before this unit. */
int units_character(const char *text, int64_t unit);

#endif
