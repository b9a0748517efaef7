/* Three bytes into four characters. */
#include "registry/base64.h"

#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(char *out, const char *bytes, size_t len)
{
    const unsigned char *in = (const unsigned char *)bytes;

    for (; len >= 3; len -= 3, in += 3, out += 4) {
        uint32_t three = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];

        out[0] = digits[three >> 18];
        out[1] = digits[three >> 12 & 63];
        out[2] = digits[three >> 6 & 63];
        out[3] = digits[three & 63];
    }
    if (len) {
        uint32_t rest = (uint32_t)in[0] << 16 | (len == 2 ? (uint32_t)in[1] << 8 : 0);

        out[0] = digits[rest >> 18];
        out[1] = digits[rest >> 12 & 63];
        out[2] = len == 2 ? digits[rest >> 6 & 63] : '=';
        out[3] = '=';
    }
}
