/* Runs of bytes that JSON text, JSON strings and UTF-8 share unchanged, found
 * eight at a time in one register: no vector instructions, so the same code is
 * fast and tested on every processor. */
#ifndef PERIGEE_JSON_PLAIN_H
#define PERIGEE_JSON_PLAIN_H

#include "base/util.h"

#define PLAIN_ONES  UINT64_C(0x0101010101010101)
#define PLAIN_HIGHS UINT64_C(0x8080808080808080)

static inline uint64_t plain_load(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return word;
}

/* The top bit of each byte that is not plain: a control character, a quote, a
 * backslash or beyond ASCII. A byte after the first such byte (in order of
 * significance) may be marked wrongly: the subtractions borrow from it. */
static inline uint64_t plain_marks(uint64_t word)
{
    uint64_t quote = (word ^ (PLAIN_ONES * '"')) - PLAIN_ONES;
    uint64_t slash = (word ^ (PLAIN_ONES * '\\')) - PLAIN_ONES;
    uint64_t control = word - PLAIN_ONES * 0x20;

    return (word | quote | slash | control) & PLAIN_HIGHS;
}

static inline bool plain_byte(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* The first byte at or after p that is not plain, or end. */
static inline const char *plain_skip(const char *p, const char *end)
{
    while (end - p >= 8) {
        uint64_t marks = plain_marks(plain_load(p));

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (marks)
            return p + (__builtin_ctzll(marks) >> 3);
#else
        if (marks)
            break;
#endif
        p += 8;
    }
    while (p < end && plain_byte((unsigned char)*p))
        p++;
    return p;
}

/* The first byte at or after p that is not ASCII, or end. */
static inline const char *ascii_skip(const char *p, const char *end)
{
    while (end - p >= 8 && !(plain_load(p) & PLAIN_HIGHS))
        p += 8;
    while (p < end && (unsigned char)*p < 0x80)
        p++;
    return p;
}

#endif
