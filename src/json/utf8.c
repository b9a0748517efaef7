/* UTF-8: one function knows the grammar (Unicode 15, table 3-7); the others
 * skip ASCII eight bytes at a time and ask it about the rest. */
#include "json/utf8.h"

#include "json/plain.h"

static bool is_tail(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* True if the second byte is valid, which excludes overlong forms, surrogates and code points above
 * U+10FFFF. */
static bool second_fits(unsigned char lead, unsigned char c)
{
    switch (lead) {
    case 0xE0:
        return c >= 0xA0 && c <= 0xBF;
    case 0xED:
        return c >= 0x80 && c <= 0x9F;
    case 0xF0:
        return c >= 0x90 && c <= 0xBF;
    case 0xF4:
        return c >= 0x80 && c <= 0x8F;
    default:
        return is_tail(c);
    }
}

int utf8_sequence(const char *text, const char *end)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned char lead = *p;
    int size, have;

    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return -1;
    size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    have = end - text < size ? (int)(end - text) : size;
    if (have < 2 || !second_fits(lead, p[1]))
        return -1;
    for (int i = 2; i < have; i++) {
        if (!is_tail(p[i]))
            return -i;
    }
    return have == size ? size : -have;
}

/* The sequences of nearly all text are told by two comparisons; the others, which
 * have a special second byte or are long, take the careful way. */
const char *utf8_skip(const char *text, const char *end)
{
    const unsigned char *p = (const unsigned char *)text, *stop = (const unsigned char *)end;

    while (p < stop && *p >= 0x80) {
        int size;

        if (*p >= 0xE1 && *p <= 0xEC && stop - p >= 3 && is_tail(p[1]) && is_tail(p[2])) {
            p += 3;
        } else if (*p >= 0xC2 && *p <= 0xDF && stop - p >= 2 && is_tail(p[1])) {
            p += 2;
        } else {
            size = utf8_sequence((const char *)p, end);
            if (size < 0)
                break;
            p += size;
        }
    }
    return (const char *)p;
}

bool utf8_valid(const char *text, size_t len, size_t *bad_offset)
{
    const char *p = text, *end = len ? text + len : text; /* NULL + 0 is not defined */

    while (p < end) {
        const char *start = p;

        p = utf8_skip(ascii_skip(p, end), end);
        if (p == start) {
            if (bad_offset)
                *bad_offset = (size_t)(p - text);
            return false;
        }
    }
    return true;
}

void utf8_clean(struct buf *out, const char *text, size_t len)
{
    const char *p = text, *end = len ? text + len : text;

    while (p < end) {
        size_t good = 0;
        int size;

        if (utf8_valid(p, (size_t)(end - p), &good))
            good = (size_t)(end - p);
        buf_add(out, p, good);
        p += good;
        if (p == end)
            return;
        size = utf8_sequence(p, end);
        buf_lit(out, "\xEF\xBF\xBD");
        p += -size;
    }
}

size_t utf8_length(const char *text, size_t len)
{
    const char *p = text, *end = len ? text + len : text;
    size_t count = 0;

    while (p < end) {
        const char *after = ascii_skip(p, end);

        count += (size_t)(after - p);
        for (p = after; p < end && (unsigned char)*p >= 0x80; count++) {
            int size = utf8_sequence(p, end);

            p += size < 0 ? -size : size;
        }
    }
    return count;
}

size_t utf8_cut(const char *text, size_t len, size_t max)
{
    size_t start = max;

    if (len <= max)
        return len;
    while (start > 0 && max - start < 4 && is_tail((unsigned char)text[start]))
        start--;
    if (start == max)
        return max;
    /* text[start] is a lead byte whose sequence the cut might split, or stray bytes. */
    int size = utf8_sequence(text + start, text + len);
    return size > 0 && start + (size_t)size > max ? start : max;
}

uint32_t utf8_decode(const char *text, int size)
{
    const unsigned char *p = (const unsigned char *)text;
    static const unsigned char masks[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
    uint32_t point = p[0] & masks[size];

    for (int i = 1; i < size; i++)
        point = point << 6 | (p[i] & 0x3Fu);
    return point;
}

size_t utf8_encode(char out[4], uint32_t point)
{
    static const unsigned char leads[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    size_t size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

    for (size_t i = size; i-- > 1;) {
        out[i] = (char)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    out[0] = (char)(leads[size] | point);
    return size;
}
