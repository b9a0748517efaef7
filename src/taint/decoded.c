/* A decoding with control characters is not valid: long words look like base64. Where blanks or
 * other signs part the digits, any word may be the first: the decoding goes on until it is no text.
 */
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

/* --- digits with signs between them ---------------------------------------------------------- */

enum {
    BASE64_MIN = 9, /* bytes of a decoding: words in a row may look like one */
    HEX_MIN = 6,
    SPREAD_TIMES = 16 /* how often a text is read for decodings that begin at each of its words */
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Text that is decoded byte by byte, until it is none. */
struct spread {
    struct buf *out;
    size_t whole;  /* bytes of whole characters */
    unsigned rest; /* bytes that the last character lacks */
    size_t *past;  /* signs up to there begin no byte of hexadecimal */
};

/* False: no text goes on with this byte. */
static bool spread_add(struct spread *spread, int byte)
{
    if (spread->rest ? (byte & 0xc0) != 0x80
                     : (byte < ' ' && (byte < '\t' || byte > '\r')) ||
                           (byte >= 0x80 && byte < 0xc2) || byte > 0xf4)
        return false;
    if (spread->rest)
        spread->rest--;
    else if (byte >= 0x80)
        spread->rest = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    buf_addc(spread->out, (char)byte);
    if (!spread->rest)
        spread->whole = spread->out->len;
    return true;
}

/* Moves past signs between two bytes of hexadecimal: blanks, colons, commas and dashes, and the
 * signs before each byte, "\x" and "0x". */
static size_t skip_hex_signs(struct str text, size_t at)
{
    while (at < text.len && (is_blank(text.ptr[at]) || text.ptr[at] == ':' || text.ptr[at] == ',' ||
                             text.ptr[at] == '-'))
        at++;
    if (text.len - at > 2 && (text.ptr[at] == '\\' || text.ptr[at] == '0') &&
        (text.ptr[at + 1] == 'x' || text.ptr[at + 1] == 'X'))
        at += 2;
    return at;
}

/* Decodes hexadecimal digits from there on; returns where they end. */
static size_t decode_hex_spread(struct spread *spread, struct str text, size_t from)
{
    size_t at, end = from;

    if (from < *spread->past)
        return from;
    at = skip_hex_signs(text, from);
    while (text.len - at >= 2 && byte_of(text.ptr + at) >= 0 &&
           spread_add(spread, byte_of(text.ptr + at))) {
        end = at + 2;
        at = skip_hex_signs(text, end);
    }
    if (end == from)
        *spread->past = at; /* whichever of the signs is the first */
    return end;
}

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

/* Decodes base64 from there on; returns where it ends. */
static size_t decode_base64_spread(struct spread *spread, struct str text, size_t from)
{
    unsigned bits = 0, count = 0;
    size_t end = from;

    for (size_t at = from; at < text.len; at++) {
        int value = base64_value(text.ptr[at]);

        if (value < 0 && is_blank(text.ptr[at]))
            continue;
        if (value < 0)
            break;
        bits = (bits << 6 | (unsigned)value) & 0xffff;
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        if (!spread_add(spread, (int)(bits >> count & 0xff)))
            break;
        end = at + 1;
    }
    return end;
}

/* Are there signs between the digits? Other digits are decoded as one word. */
static bool is_parted(struct str text, size_t from, size_t to)
{
    while (from < to && is_encoded(text.ptr[from]) && text.ptr[from] != '-')
        from++;
    return from < to;
}

static void give_spread(struct str text, void (*fn)(void *context, struct str decoded),
                        void *context)
{
    static size_t (*const decode[])(struct spread *, struct str, size_t) = { decode_base64_spread,
                                                                             decode_hex_spread };
    static const size_t least[countof(decode)] = { BASE64_MIN, HEX_MIN };
    struct buf decoded = { 0 };
    size_t done[countof(decode)] = { 0 }, left = text.len * SPREAD_TIMES, past = 0;

    for (size_t at = 0; at < text.len && left; at++) {
        if (text.ptr[at] != '\\' &&
            (!is_encoded(text.ptr[at]) || (at && is_encoded(text.ptr[at - 1]))))
            continue;
        for (size_t k = 0; k < countof(decode); k++) {
            struct spread spread = { .out = &decoded, .past = &past };
            size_t end;

            decoded.len = 0;
            if (at < done[k])
                continue;
            end = decode[k](&spread, text, at);
            left -= end - at < left ? end - at : left;
            decoded.len = spread.whole;
            if (spread.whole < least[k] || !is_parted(text, at, end) || !is_text(&decoded))
                continue;
            fn(context, buf_str(&decoded));
            done[k] = end;
        }
    }
    buf_free(&decoded);
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
    give_spread(text, fn, context);
}
