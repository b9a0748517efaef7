/* A copy of a scanned text for cJSON. Relies on the text being valid JSON: a
 * backslash is always followed by a byte, \u by four digits, a quote always closes. */
#include "json/rewrite.h"

#include "json/hex.h"
#include "json/number.h"
#include "json/plain.h"
#include "json/scan.h"

/* From behind the opening quote to behind the closing one. */
static const char *rewrite_string(struct buf *out, const char *p, const char *end)
{
    for (;;) {
        const char *stop = p;

        for (stop = plain_skip(p, end); *stop != '"' && *stop != '\\'; stop = plain_skip(stop, end))
            stop++; /* a byte of a longer character */
        buf_add(out, p, (size_t)(stop - p));
        p = stop;
        if (*p == '"') {
            buf_addc(out, '"');
            return p + 1;
        }
        if (end - p >= 6 && memcmp(p, "\\u0000", 6) == 0) {
            buf_lit(out, "\xC0\x80");
            p += 6;
        } else {
            buf_add(out, p, 2);
            p += 2;
        }
    }
}

static const char *number_end(const char *p, const char *end)
{
    while (p < end &&
           (*p == '-' || *p == '+' || *p == '.' || (*p | 0x20) == 'e' || (*p >= '0' && *p <= '9')))
        p++;
    return p;
}

static const char *rewrite_number(struct buf *out, const char *p, const char *end)
{
    const char *stop = number_end(p, end);
    size_t len = (size_t)(stop - p);

    if (len <= JSON_NUMBER_MAX)
        buf_add(out, p, len);
    else
        out->len += number_text(buf_reserve(out, NUMBER_TEXT_MAX), number_read(p, len));
    return stop;
}

void json_rewrite(struct buf *out, const char *text, size_t len)
{
    const char *p = text, *end = text + len;

    buf_reserve(out, len + NUMBER_TEXT_MAX);
    while (p < end) {
        if (*p == '-' || (*p >= '0' && *p <= '9')) {
            p = rewrite_number(out, p, end);
            continue;
        }
        buf_addc(out, *p);
        p = *p == '"' ? rewrite_string(out, p + 1, end) : p + 1;
    }
}

void json_replace_halves(struct buf *out, const char *text, size_t len)
{
    const char *p = text, *end = text + len;

    while (p < end) {
        int unit = hex_escape(p, end);
        bool half = unit >= 0xD800 && unit <= 0xDFFF;
        bool pair = half && unit < 0xDC00 && (hex_escape(p + 6, end) & ~0x3FF) == 0xDC00;
        ptrdiff_t size = pair ? 12 : unit >= 0 ? 6 : *p == '\\' ? 2 : 1;

        size = size < end - p ? size : end - p;
        if (half && !pair)
            buf_lit(out, "\\ufffd");
        else
            buf_add(out, p, (size_t)size);
        p += size;
    }
}
