/* By code points, and by the bytes of UTF-8. */
#include "base/hidden.h"

static bool point_is_within(uint32_t point, uint32_t first, uint32_t last)
{
    return point >= first && point <= last;
}

bool hidden_is(uint32_t point)
{
    return point < 0x20 || point_is_within(point, 0x7f, 0x9f) || point == 0xad || point == 0x61c ||
           point_is_within(point, 0x200b, 0x200f) || point_is_within(point, 0x2028, 0x202e) ||
           point_is_within(point, 0x2060, 0x206f) || point == 0xfeff ||
           point_is_within(point, 0xfff9, 0xfffb) || point_is_within(point, 0xe0000, 0xe007f);
}

bool hidden_is_joiner(uint32_t point)
{
    return point == 0x200c || point == 0x200d;
}

bool hidden_is_selector(uint32_t point)
{
    return point_is_within(point, 0xfe00, 0xfe0f) || point_is_within(point, 0xe0100, 0xe01ef);
}

/* True for characters of scripts and for emoji, to which joiners and selectors belong. */
static bool is_shown_beyond_ascii(uint32_t point)
{
    return point >= 0xa0 && !hidden_is(point) && !hidden_is_selector(point);
}

/* Digits have selectors in keycaps. */
static bool takes_selector(uint32_t point)
{
    return is_shown_beyond_ascii(point) || point_is_within(point, '0', '9') || point == '#' ||
           point == '*';
}

bool hidden_stays(uint32_t point, uint32_t before, uint32_t after)
{
    if (hidden_is_joiner(point))
        return (is_shown_beyond_ascii(before) || hidden_is_selector(before)) &&
               is_shown_beyond_ascii(after);
    if (hidden_is_selector(point))
        return takes_selector(before);
    return !hidden_is(point);
}

/* The lead bytes of all that are hidden: C2 (C1, U+00AD), D8 (U+061C), E2, EF, F3. */
size_t hidden_character(const char *at, size_t len, unsigned *point)
{
    const unsigned char *c = (const unsigned char *)at;
    size_t bytes = c[0] == 0xc2 || c[0] == 0xd8 ? 2 : c[0] == 0xe2 || c[0] == 0xef ? 3 : 4;

    if ((bytes == 4 && c[0] != 0xf3) || len < bytes)
        return 0;
    *point = c[0] & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | (c[i] & 0x3fu);
    }
    return hidden_is(*point) && !hidden_is_joiner(*point) ? bytes : 0;
}
