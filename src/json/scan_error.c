/* Saying where a text is not JSON. Lines and columns are only counted here. */
#include <stdio.h>

#include "json/scan_impl.h"
#include "json/utf8.h"

static void describe_place(const struct scanner *s, char *out, size_t size)
{
    const char *line = s->text;
    size_t lines = 1;

    for (const char *p = s->text; (p = memchr(p, '\n', (size_t)(s->at - p))); line = ++p)
        lines++;
    snprintf(out, size, "line %zu, column %zu (byte %zu)", lines,
             utf8_length(line, (size_t)(s->at - line)) + 1, (size_t)(s->at - s->text));
}

static void describe_byte(const struct scanner *s, char *out, size_t size)
{
    int len = s->at < s->end ? utf8_sequence(s->at, s->end) : 0;
    unsigned char c = len ? (unsigned char)*s->at : 0;

    if (len == 0)
        snprintf(out, size, "the end of the text");
    else if (len < 0 || c < 0x20 || c == 0x7F)
        snprintf(out, size, "byte 0x%02X", c);
    else if (c == '"')
        snprintf(out, size, "a quote");
    else if (len == 3 && memcmp(s->at, "\xEF\xBB\xBF", 3) == 0)
        snprintf(out, size, "a byte order mark");
    else
        snprintf(out, size, "\"%.*s\"", len, s->at);
}

bool scan_expected(const struct scanner *s, const char *what)
{
    char place[80], got[32];

    describe_place(s, place, sizeof place);
    describe_byte(s, got, sizeof got);
    return error_set(s->err, "json_syntax", "invalid JSON at %s: expected %s, got %s", place, what,
                     got);
}

bool scan_fail(const struct scanner *s, const char *code, const char *what)
{
    char place[80];

    describe_place(s, place, sizeof place);
    return error_set(s->err, code, "invalid JSON at %s: %s", place, what);
}
