#include "taint/joined.h"

#include <string.h>

enum {
    WORD_MAX = 4096, /* bytes of a word that is looked at */
    ROW_MIN = 9,     /* bytes of all the words */
    WORDS_MIN = 3,
    SIGNS_MAX = 8, /* signs of one word that are tried */
};

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* The length of the sign at the beginning; 0: there is none. Beyond ASCII these are punctuation,
 * symbols and arrows (U+00A1 to U+00BF, U+2000 to U+2BFF, U+3000 to U+303F, U+30FB). */
static size_t sign_at(struct str text)
{
    const unsigned char *at = (const unsigned char *)text.ptr;

    if (!text.len)
        return 0;
    if (*at < 0x80)
        return !is_letter((char)*at) && !(*at >= '0' && *at <= '9');
    if (*at == 0xc2 && text.len >= 2)
        return at[1] >= 0xa1 ? 2 : 0;
    if (text.len < 3)
        return 0;
    if (*at == 0xe2)
        return at[1] <= 0xaf ? 3 : 0;
    return *at == 0xe3 && (at[1] == 0x80 || (at[1] == 0x83 && at[2] == 0xbb)) ? 3 : 0;
}

static struct str text_behind(struct str text, size_t at)
{
    return (struct str){ text.ptr + at, text.len - at };
}

static bool begins_with(struct str text, struct str sign)
{
    return text.len >= sign.len && memcmp(text.ptr, sign.ptr, sign.len) == 0;
}

/* Appends a word as cleaned text has it. True: it is one. */
static bool add_piece(struct buf *out, struct str piece)
{
    while (piece.len && (piece.ptr[piece.len - 1] == '.' || piece.ptr[piece.len - 1] == ':' ||
                         piece.ptr[piece.len - 1] == '/'))
        piece.len--;
    if (!piece.len)
        return false;
    if (out->len)
        buf_addc(out, ' ');
    buf_add(out, piece.ptr, piece.len);
    return true;
}

/* The words that the sign parts. Of several in a row all do (`all`), or the first does, and the
 * others belong to the next word. Returns the number of words. */
static size_t space_words(struct buf *out, struct str word, struct str sign, bool all)
{
    size_t count = 0, from = 0, at = 0;

    out->len = 0;
    while (at < word.len) {
        if (!begins_with(text_behind(word, at), sign)) {
            at++;
            continue;
        }
        count += add_piece(out, (struct str){ word.ptr + from, at - from });
        from = at += sign.len;
        while (begins_with(text_behind(word, at), sign))
            at += sign.len;
        from = all ? at : from;
    }
    return count + add_piece(out, text_behind(word, from));
}

/* The number of places where the sign is; `twice`: it is there twice in a row somewhere. */
static size_t count_sign(struct str word, struct str sign, bool *twice)
{
    size_t count = 0, last = word.len;

    *twice = false;
    for (size_t at = 0; at + sign.len <= word.len; at++) {
        if (word.ptr[at] != *sign.ptr || !begins_with(text_behind(word, at), sign))
            continue;
        *twice |= count && last + sign.len == at;
        last = at;
        count++;
    }
    return count;
}

static bool has_letter(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (is_letter(text.ptr[i]) || (unsigned char)text.ptr[i] >= 0x80)
            return true;
    return false;
}

static bool is_among(struct str sign, const struct str *signs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_same(sign, signs[i]))
            return true;
    return false;
}

void taint_joined(struct str word, void (*fn)(void *context, struct str spaced, bool dashes),
                  void *context)
{
    struct str signs[SIGNS_MAX];
    struct buf spaced = { 0 };
    size_t count = 0;
    bool twice;

    if (word.len < ROW_MIN || word.len > WORD_MAX)
        return;
    for (size_t at = 0, len; at < word.len && count < SIGNS_MAX; at += len ? len : 1) {
        struct str sign = { word.ptr + at, len = sign_at(text_behind(word, at)) };

        if (!len || is_among(sign, signs, count))
            continue;
        signs[count++] = sign;
        if (count_sign(word, sign, &twice) + 1 < WORDS_MIN)
            continue;
        for (int all = 0; all < (twice ? 2 : 1); all++)
            if (space_words(&spaced, word, sign, all) >= WORDS_MIN && spaced.len >= ROW_MIN &&
                has_letter(buf_str(&spaced)))
                fn(context, buf_str(&spaced), str_same(sign, STR("-")));
    }
    buf_free(&spaced);
}
