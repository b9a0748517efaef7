/* UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above
 * U+10FFFF. Lengths are in bytes unless said otherwise. */
#ifndef PERIGEE_JSON_UTF8_H
#define PERIGEE_JSON_UTF8_H

#include "base/buf.h"

/* The length (1 to 4) of the well-formed sequence at p, or minus the length
 * (-1 to -3) of the ill-formed part that one U+FFFD stands for: the longest
 * prefix of some well-formed sequence, else one byte (Unicode 15, section 3.9,
 * "substitution of maximal subparts"). p < end. */
int utf8_sequence(const char *p, const char *end);

/* The first byte at or after p that is ASCII or does not begin a well-formed sequence, or end. */
const char *utf8_skip(const char *p, const char *end);

/* *bad_offset (may be NULL) is set only when the text is not valid. */
bool utf8_valid(const char *text, size_t len, size_t *bad_offset);

/* Appends the text with every ill-formed part replaced by U+FFFD. */
void utf8_clean(struct buf *out, const char *text, size_t len);

/* Code points; each ill-formed part counts as one. */
size_t utf8_length(const char *text, size_t len);

/* The longest prefix of at most `max` bytes that does not split a sequence. */
size_t utf8_cut(const char *text, size_t len, size_t max);

/* The code point of the well-formed sequence of `size` bytes at p. */
uint32_t utf8_decode(const char *p, int size);

/* Writes the sequence for a code point (not a surrogate, at most U+10FFFF); returns its length. */
size_t utf8_encode(char out[4], uint32_t point);

#endif
