/* By the bytes of UTF-8. */
#include "base/bidi.h"

size_t bidi_control(const char *at, size_t len, unsigned *point)
{
    const unsigned char *c = (const unsigned char *)at;

    if (len >= 2 && c[0] == 0xd8 && c[1] == 0x9c) {
        *point = 0x61c;
        return 2;
    }
    if (len < 3 || c[0] != 0xe2 || (c[1] & 0xfe) != 0x80 || (c[2] & 0xc0) != 0x80)
        return 0;
    *point = 0x2000u | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    return (*point >= 0x200e && *point <= 0x200f) || (*point >= 0x202a && *point <= 0x202e) ||
                   (*point >= 0x2066 && *point <= 0x2069)
               ? 3
               : 0;
}
