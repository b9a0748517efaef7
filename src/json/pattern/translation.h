/* A pattern while it is translated: shared by ecma.c, class.c and escape.c. */
#ifndef PERIGEE_JSON_PATTERN_TRANSLATION_H
#define PERIGEE_JSON_PATTERN_TRANSLATION_H

#include "json/pattern/ecma.h"

struct ecma {
    const char *start, *at, *end;
    struct buf *out;
    struct error *err;
    unsigned depth; /* open groups */
};

/* Fails at `at`. */
bool ecma_fail(struct ecma *e, const char *what);

/* Fails at the letter behind a backslash. */
bool ecma_fail_escape(struct ecma *e);

/* Writes one character so that PCRE2 takes it for nothing else. */
void ecma_add_point(struct ecma *e, uint32_t point);

/* Behind a backslash: an escape that stands for one character. *known: was it one? */
bool ecma_character(struct ecma *e, uint32_t *point, bool *known);

/* Behind a backslash: a set of characters, written as it reads inside a class.
 * *known: was it one? */
bool ecma_set(struct ecma *e, bool *known);

/* At "[": all up to "]". */
bool ecma_class(struct ecma *e);

/* The byte at this distance; 0 beyond the end. */
static inline char peek(const struct ecma *e, size_t ahead)
{
    return (size_t)(e->end - e->at) > ahead ? e->at[ahead] : '\0';
}

static inline bool looking_at(const struct ecma *e, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(e->end - e->at) >= len && memcmp(e->at, text, len) == 0;
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

#endif
