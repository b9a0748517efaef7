/* Most text is ASCII, which is read once. */
#include "taint/clean.h"

#include "base/fold.h"
#include "json/line.h"

/* A bit for each ASCII character: line breaks, tabs, space and " # $ & ' ( ) * , ! ; < > ? [ ] ^ `
 * { | }. */
static const uint64_t enclosing[2] = {
    UINT64_C(0x1f) << '\t' | UINT64_C(1) << ' ' | UINT64_C(1) << '"' | UINT64_C(1) << '\'' |
        UINT64_C(1) << '(' | UINT64_C(1) << ')' | UINT64_C(1) << '*' | UINT64_C(1) << ',' |
        UINT64_C(1) << '!' | UINT64_C(1) << ';' | UINT64_C(1) << '<' | UINT64_C(1) << '>' |
        UINT64_C(1) << '?' | UINT64_C(1) << '#' | UINT64_C(1) << '$' | UINT64_C(1) << '&',
    UINT64_C(1) << ('[' - 64) | UINT64_C(1) << (']' - 64) | UINT64_C(1) << ('^' - 64) |
        UINT64_C(1) << ('`' - 64) | UINT64_C(1) << ('{' - 64) | UINT64_C(1) << ('|' - 64) |
        UINT64_C(1) << ('}' - 64)
};

/* The length of the character at `at` that parts words: an enclosing character, or a blank or quote
 * beyond ASCII (U+00A0, U+00AB, U+00BB, U+1680, U+2000-200A, U+2018-201F, U+202F, U+205F, U+3000).
 * 0: none. */
static size_t gap(const unsigned char *at, const unsigned char *end)
{
    unsigned char last;

    if (*at < 0x80)
        return enclosing[*at >> 6] >> (*at & 63) & 1;
    if (*at == 0xc2 && end - at >= 2)
        return at[1] == 0xa0 || at[1] == 0xab || at[1] == 0xbb ? 2 : 0;
    if (*at < 0xe1 || *at > 0xe3 || end - at < 3)
        return 0;
    last = at[2];
    switch (at[0] << 8 | at[1]) {
    case 0xe19a:
        return last == 0x80 ? 3 : 0;
    case 0xe280:
        return last <= 0x8a || (last >= 0x98 && last <= 0x9f) || last == 0xaf ? 3 : 0;
    case 0xe281:
        return last == 0x9f ? 3 : 0;
    case 0xe380:
        return last == 0x80 ? 3 : 0;
    default:
        return 0;
    }
}

static bool ends_words(char c)
{
    return c == '.' || c == ':' || c == '/';
}

/* True for a backslash that may escape the next character: answers have one before quotation marks
 * and backslashes, which the text itself does not have. */
static bool is_escape(const unsigned char *at, const unsigned char *end)
{
    return *at == '\\' && end - at >= 2 && (at[1] == '\\' || at[1] == '"');
}

/* Ends the word from `from` to `to` with the space that parts it from the next one; a word of
 * nothing but end characters is dropped. Returns where the next one begins. */
static char *end_word(char *from, char *to)
{
    while (to > from && ends_words(to[-1]))
        to--;
    if (to > from)
        *to++ = ' ';
    return to;
}

static void add_words(struct buf *out, struct str text)
{
    const unsigned char *at = (const unsigned char *)text.ptr, *end = at + text.len;
    char *begin = buf_reserve(out, text.len + 1), *from = begin, *to = begin;

    while (at < end) {
        size_t part = gap(at, end);

        if (part) {
            from = to = end_word(from, to);
            at += part;
        } else if (is_escape(at, end)) {
            at++;
        } else {
            if (*at >= ' ' && *at != 0x7f)
                *to++ = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
            at++;
        }
    }
    to = end_word(from, to);
    out->len += (size_t)(to - begin) - (to > begin);
}

static bool is_ascii(struct str text)
{
    unsigned char all = 0;

    for (size_t i = 0; i < text.len; i++)
        all |= (unsigned char)text.ptr[i];
    return all < 0x80;
}

void taint_clean(struct buf *out, struct str text)
{
    struct buf line = { 0 }, folded = { 0 };

    if (is_ascii(text)) {
        add_words(out, text);
        return;
    }
    buf_reserve(&line, text.len);
    line.len = line_clean(line.data, text.ptr, text.len);
    add_words(out, fold_text(&folded, buf_str(&line)) ? buf_str(&folded) : buf_str(&line));
    buf_free(&line);
    buf_free(&folded);
}

void taint_reverse(struct buf *out, struct str cleaned)
{
    char *begin = buf_reserve(out, cleaned.len + 1), *from = begin, *to = begin;
    const char *at = cleaned.ptr + cleaned.len;

    while (at > cleaned.ptr) {
        const char *next = at--;

        while (at > cleaned.ptr && (*at & 0xc0) == 0x80)
            at--;
        if (*at == ' ') {
            from = to = end_word(from, to);
            continue;
        }
        for (const char *c = at; c < next; c++)
            *to++ = *c;
    }
    to = end_word(from, to);
    out->len += (size_t)(to - begin) - (to > begin);
}
