/* Three bytes into four characters, and back. */
#include "base/base64.h"

#include <pthread.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static pthread_once_t pairs_once = PTHREAD_ONCE_INIT;
static char pairs[4096]
                 [2]; /* for 12 bits each: half as many steps, because images have megabytes */

static void make_pairs(void)
{
    for (int i = 0; i < 4096; i++) {
        pairs[i][0] = digits[i >> 6];
        pairs[i][1] = digits[i & 63];
    }
}

void base64_encode(char *out, const char *bytes, size_t len)
{
    const unsigned char *in = (const unsigned char *)bytes;

    pthread_once(&pairs_once, make_pairs);
    for (; len >= 3; len -= 3, in += 3, out += 4) {
        uint32_t three = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];

        memcpy(out, pairs[three >> 12], 2);
        memcpy(out + 2, pairs[three & 4095], 2);
    }
    if (len) {
        uint32_t rest = (uint32_t)in[0] << 16 | (len == 2 ? (uint32_t)in[1] << 8 : 0);

        out[0] = digits[rest >> 18];
        out[1] = digits[rest >> 12 & 63];
        out[2] = len == 2 ? digits[rest >> 6 & 63] : '=';
        out[3] = '=';
    }
}

void base64_encode_url(struct buf *out, const char *bytes, size_t len)
{
    size_t length = base64_length(len);
    char *text = buf_reserve(out, length);

    base64_encode(text, bytes, len);
    while (length && text[length - 1] == '=')
        length--;
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i];
    out->len += length;
}

/* The value of a character; -1: it is none of the alphabet. */
static int base64_digit(char c, bool url)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == (url ? '-' : '+'))
        return 62;
    return c == (url ? '_' : '/') ? 63 : -1;
}

/* Characters without padding. What is left of the last one's bits has to be 0:
 * else one value had several texts. */
static bool decode_unpadded(struct buf *out, struct str text, bool url)
{
    size_t before = out->len;
    uint32_t bits = 0;
    int have = 0;

    for (size_t i = 0; i < text.len; i++) {
        int value = base64_digit(text.ptr[i], url);

        if (value < 0) {
            out->len = before;
            return false;
        }
        bits = bits << 6 | (uint32_t)value;
        have += 6;
        if (have >= 8) {
            have -= 8;
            buf_addc(out, (char)(bits >> have & 0xff));
        }
    }
    if (have < 6 && !(bits & ((1U << have) - 1)))
        return true;
    out->len = before;
    return false;
}

bool base64_decode(struct buf *out, struct str text)
{
    if (text.len % 4)
        return false;
    for (int pad = 0; pad < 2 && text.len && text.ptr[text.len - 1] == '='; pad++)
        text.len--;
    return decode_unpadded(out, text, false);
}

bool base64_decode_url(struct buf *out, struct str text)
{
    return decode_unpadded(out, text, true);
}
