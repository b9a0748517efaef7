/* A decoding with control characters is not valid: long words look like base64. */
#include "taint/decoded.h"

#include "base/base64.h"
#include "json/hex.h"
#include "json/utf8.h"

enum { ENCODED_MIN = 12 }; /* bytes of a word that may be base64 or hexadecimal */

static bool is_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* + - / 0 to 9 = A to Z _ a to z */
static bool is_encoded(char c)
{
    static const uint64_t set[2] = { UINT64_C(0x23ffa80000000000), UINT64_C(0x07fffffe87fffffe) };

    return (unsigned char)c < 128 && set[(unsigned char)c >> 6] >> (c & 63) & 1;
}

static bool is_text(const struct buf *decoded)
{
    for (size_t i = 0; i < decoded->len; i++) {
        unsigned char c = (unsigned char)decoded->data[i];

        if (c < ' ' && (c < '\t' || c > '\r'))
            return false;
    }
    return decoded->len > 0 && utf8_valid(decoded->data, decoded->len, NULL);
}

/* The value of two hexadecimal digits; -1: they are not digits. */
static int byte_of(const char *at)
{
    int high = hex_value(at[0]), low = hex_value(at[1]);

    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

static bool decode_hex(struct buf *out, struct str word)
{
    if (word.len % 2)
        return false;
    for (size_t i = 0; i < word.len; i += 2) {
        int byte = byte_of(word.ptr + i);

        if (byte < 0)
            return false;
        buf_addc(out, (char)byte);
    }
    return true;
}

static bool decode_base64(struct buf *out, struct str word)
{
    if (base64_decode(out, word))
        return true;
    while (word.len && word.ptr[word.len - 1] == '=')
        word.len--;
    return base64_decode_url(out, word);
}

static bool is_percent(struct str text, size_t at)
{
    return text.ptr[at] == '%' && text.len - at > 2 && byte_of(text.ptr + at + 1) >= 0;
}

/* Decodes percent signs. False: there was nothing to decode. A plus between two words is a space,
 * too. */
static bool decode_percent(struct buf *out, struct str text)
{
    bool any = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (is_percent(text, i)) {
            buf_addc(out, (char)byte_of(text.ptr + i + 1));
            i += 2;
            any = true;
        } else {
            any |= c == '+' && i && i + 1 < text.len && is_alnum(text.ptr[i - 1]) &&
                   is_alnum(text.ptr[i + 1]);
            buf_addc(out, (char)(c == '+' ? ' ' : c));
        }
    }
    return any;
}

enum { PERCENT_TIMES = 4 }; /* how often a text may be encoded */

static void give_percent(struct str text, void (*fn)(void *context, struct str decoded),
                         void *context)
{
    struct buf decoded[2] = { { 0 }, { 0 } };

    for (int i = 0; i < PERCENT_TIMES; i++) {
        struct buf *out = &decoded[i & 1];

        out->len = 0;
        if (!decode_percent(out, text))
            break;
        fn(context, buf_str(out));
        text = buf_str(out);
    }
    buf_free(&decoded[0]);
    buf_free(&decoded[1]);
}

/* Writes $HOME and ${HOME} as "~". False: they are not there. */
static bool name_home(struct buf *out, struct str text)
{
    static const struct str names[] = { { "$HOME", 5 }, { "${HOME}", 7 } };
    bool any = false;

    out->len = 0;
    for (size_t i = 0, k; i < text.len;) {
        for (k = 0; k < countof(names); k++)
            if (text.len - i >= names[k].len &&
                memcmp(text.ptr + i, names[k].ptr, names[k].len) == 0)
                break;
        buf_addc(out, (char)(k < countof(names) ? '~' : text.ptr[i]));
        any |= k < countof(names);
        i += k < countof(names) ? names[k].len : 1;
    }
    return any;
}

void taint_decoded(struct str text, void (*fn)(void *context, struct str decoded), void *context)
{
    static bool (*const decode[])(struct buf *, struct str) = { decode_base64, decode_hex };
    struct buf decoded = { 0 };
    size_t from = 0;

    if (memchr(text.ptr, '%', text.len) || memchr(text.ptr, '+', text.len))
        give_percent(text, fn, context);
    if (memchr(text.ptr, '$', text.len) && name_home(&decoded, text))
        fn(context, buf_str(&decoded));
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && is_encoded(text.ptr[i]))
            continue;
        for (size_t k = 0; i - from >= ENCODED_MIN && k < countof(decode); k++) {
            decoded.len = 0;
            if (decode[k](&decoded, (struct str){ text.ptr + from, i - from }) && is_text(&decoded))
                fn(context, buf_str(&decoded));
        }
        from = i + 1;
    }
    buf_free(&decoded);
}
