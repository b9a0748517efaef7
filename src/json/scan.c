/* A strict scanner for JSON text: one pass, no recursion, no allocation.
 *
 * It keeps one byte of stack for each open array or object and knows only
 * where a value may stand; everything it learns that costs nothing on the way
 * (counts, the root's "id", whether cJSON needs a rewritten copy) is handed on
 * in struct json_scan. */
#include "json/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/digits.h"
#include "json/hex.h"
#include "json/number.h"
#include "json/plain.h"
#include "json/utf8.h"

const struct json_limits json_limits_default = { 10u << 20, 128, 1000000 };

struct scanner {
    const char *text, *at, *end;
    struct json_scan *found;
    struct error *err;
    const char *id; /* where the value of the root's "id" starts, while it is being read */
    unsigned depth, depth_max;
    size_t nodes_max;
    bool id_next;              /* the member name just read, of the root, was "id" */
    char open[JSON_DEPTH_MAX]; /* '{' or '[' */
};

/* The result of reading one value or bracket: an error, another value to read, or the end of
 * one. */
enum next { NEXT_FAILED, NEXT_VALUE, NEXT_CLOSED };

/* --- errors: lines and columns are only counted here -------------------------- */

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

/* Fails at `at`, where `what` should be. */
static bool scan_expected(const struct scanner *s, const char *what)
{
    char place[80], got[32];

    describe_place(s, place, sizeof place);
    describe_byte(s, got, sizeof got);
    return error_set(s->err, "json_syntax", "invalid JSON at %s: expected %s, got %s", place, what,
                     got);
}

/* Fails at `at` with this code. */
static bool scan_fail(const struct scanner *s, const char *code, const char *what)
{
    char place[80];

    describe_place(s, place, sizeof place);
    return error_set(s->err, code, "invalid JSON at %s: %s", place, what);
}

/* --- strings ----------------------------------------------------------------- */

/* The four digits of a \u escape; -1 (and the place in s->at) when they are not there. */
static int scan_hex(struct scanner *s, const char *p)
{
    int value = 0;

    for (int i = 0; i < 4; i++, p++) {
        int digit = p < s->end ? hex_value(*p) : -1;

        if (digit < 0) {
            s->at = p;
            scan_expected(s, "four hexadecimal digits after \\u");
            return -1;
        }
        value = value << 4 | digit;
    }
    return value;
}

/* A \u escape, whose backslash is at s->at; a surrogate takes its other half along. */
static bool scan_unicode(struct scanner *s)
{
    const char *start = s->at;
    int unit = scan_hex(s, start + 2);
    int low;

    if (unit < 0)
        return false;
    s->at = start + 6;
    if (unit == 0)
        s->found->nul = s->found->rewrite = true;
    if ((unit & 0xF800) != 0xD800)
        return true;
    if (unit < 0xDC00 && s->end - s->at >= 2 && s->at[0] == '\\' && s->at[1] == 'u') {
        low = scan_hex(s, s->at + 2);
        if (low < 0)
            return false;
        if ((low & 0xFC00) == 0xDC00) {
            s->at += 6;
            return true;
        }
    }
    s->at = start;
    return scan_fail(s, "json_surrogate",
                     "half of a surrogate pair. Write both halves for a character above U+FFFF");
}

static bool scan_escape(struct scanner *s)
{
    char c = s->end - s->at < 2 ? '\0' : s->at[1];

    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        s->at += 2;
        return true;
    case 'u':
        return scan_unicode(s);
    default:
        s->at++;
        return scan_expected(s, "one of \" \\ / b f n r t u after a backslash");
    }
}

/* From the opening quote to behind the closing one. */
static bool scan_string(struct scanner *s)
{
    s->found->strings++;
    s->at++;
    for (;;) {
        unsigned char c;

        s->at = plain_skip(s->at, s->end);
        if (UNLIKELY(s->at == s->end))
            return scan_expected(s, "a closing quote");
        c = (unsigned char)*s->at;
        if (LIKELY(c == '"')) {
            s->at++;
            return true;
        }
        if (c == '\\') {
            if (!scan_escape(s))
                return false;
        } else if (c < 0x20) {
            return scan_expected(s, "control characters in a string to be escaped");
        } else {
            const char *after = utf8_skip(s->at, s->end);

            if (UNLIKELY(after == s->at))
                return scan_fail(s, "json_utf8", "bytes that are not UTF-8");
            s->at = after;
        }
    }
}

/* --- numbers and words ------------------------------------------------------- */

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

static bool scan_digits(struct scanner *s, const char *what)
{
    const char *after = skip_digits(s->at, s->end);

    if (UNLIKELY(after == s->at))
        return scan_expected(s, what);
    s->at = after;
    return true;
}

/* Can only be beyond the range of a double with a long exponent or many digits. */
static bool check_range(struct scanner *s, const char *start)
{
    if (isfinite(number_read(start, (size_t)(s->at - start))))
        return true;
    s->at = start;
    return scan_fail(s, "json_number", "a number beyond the range of a double (about 1.8e308)");
}

static bool scan_number(struct scanner *s)
{
    const char *start = s->at, *power = NULL;

    if (*s->at == '-')
        s->at++;
    if (s->at < s->end && *s->at == '0')
        s->at++;
    else if (!scan_digits(s, "a digit"))
        return false;
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        if (!scan_digits(s, "a digit after the decimal point"))
            return false;
    }
    if (s->at < s->end && (*s->at | 0x20) == 'e') {
        s->at++;
        if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
            s->at++;
        power = s->at;
        if (!scan_digits(s, "a digit in the exponent"))
            return false;
    }
    if (UNLIKELY(s->at - start >= DIGITS_LONG))
        s->found->digits = true;
    if (s->at - start > JSON_NUMBER_MAX)
        s->found->rewrite = true;
    else if (!power || s->at - power < 3)
        return true;
    return check_range(s, start);
}

static bool scan_word(struct scanner *s, const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++, s->at++) {
        if (s->at == s->end || *s->at != word[i]) {
            return scan_expected(s, word[0] == 't' ? "true" : word[0] == 'f' ? "false" : "null");
        }
    }
    return true;
}

/* --- structure --------------------------------------------------------------- */

static inline void skip_space(struct scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t'))
        s->at++;
}

/* Is the name between these quotes "id"? It may be spelt with escapes. */
static bool name_is_id(const char *name, size_t len)
{
    if (LIKELY(len == 2))
        return name[0] == 'i' && name[1] == 'd';
    for (const char *want = "id"; *want; want++) {
        char hex[5];

        if (len && *name == *want) {
            name++, len--;
        } else if (len >= 6 && name[0] == '\\' && name[1] == 'u') {
            memcpy(hex, name + 2, 4);
            hex[4] = '\0';
            if (strtol(hex, NULL, 16) != *want)
                return false;
            name += 6, len -= 6;
        } else {
            return false;
        }
    }
    return len == 0;
}

/* A member's name and its colon. */
static enum next scan_name(struct scanner *s, const char *what)
{
    const char *name = s->at;

    if (UNLIKELY(s->at == s->end || *s->at != '"'))
        return scan_expected(s, what), NEXT_FAILED;
    if (!scan_string(s))
        return NEXT_FAILED;
    if (s->depth == 1)
        s->id_next = name_is_id(name + 1, (size_t)(s->at - name) - 2);
    skip_space(s);
    if (UNLIKELY(s->at == s->end || *s->at != ':'))
        return scan_expected(s, "a colon after the member's name"), NEXT_FAILED;
    s->at++;
    return NEXT_VALUE;
}

static enum next scan_open(struct scanner *s)
{
    char kind = *s->at;

    if (UNLIKELY(s->depth == s->depth_max)) {
        char what[80];

        snprintf(what, sizeof what, "arrays and objects nested more than %u deep", s->depth_max);
        return scan_fail(s, "json_depth", what), NEXT_FAILED;
    }
    s->open[s->depth++] = kind;
    s->at++;
    skip_space(s);
    if (s->at < s->end && *s->at == kind + 2) { /* '[' + 2 is ']', '{' + 2 is '}' */
        s->at++;
        s->depth--;
        return NEXT_CLOSED;
    }
    return kind == '[' ? NEXT_VALUE : scan_name(s, "a member's name in quotes or \"}\"");
}

/* A scalar whole, or what opens an array or object. */
static enum next scan_value(struct scanner *s)
{
    bool done;

    skip_space(s);
    if (UNLIKELY(s->at == s->end))
        return scan_expected(s, "a value"), NEXT_FAILED;
    if (UNLIKELY(s->found->nodes++ == s->nodes_max)) {
        char what[80];

        snprintf(what, sizeof what, "more than %zu values", s->nodes_max);
        return scan_fail(s, "json_nodes", what), NEXT_FAILED;
    }
    if (s->id_next) {
        s->id = s->at;
        s->id_next = false;
    }
    switch (*s->at) {
    case '"':
        done = scan_string(s);
        break;
    case '{':
    case '[':
        return scan_open(s);
    case 't':
        done = scan_word(s, "true", 4);
        break;
    case 'f':
        done = scan_word(s, "false", 5);
        break;
    case 'n':
        done = scan_word(s, "null", 4);
        break;
    default:
        done = *s->at == '-' || (*s->at >= '0' && *s->at <= '9') ? scan_number(s)
                                                                 : scan_expected(s, "a value");
    }
    return done ? NEXT_CLOSED : NEXT_FAILED;
}

/* Behind a value inside an array or object: a comma, or its end. */
static enum next scan_after(struct scanner *s)
{
    char kind = s->open[s->depth - 1];

    if (s->depth == 1 && s->id) {
        s->found->id = (struct str){ s->id, (size_t)(s->at - s->id) };
        s->id = NULL;
    }
    skip_space(s);
    if (LIKELY(s->at < s->end)) {
        if (*s->at == ',') {
            s->at++;
            if (kind == '[')
                return NEXT_VALUE;
            skip_space(s);
            return scan_name(s, "a member's name in quotes");
        }
        if (*s->at == kind + 2) {
            s->at++;
            s->depth--;
            return NEXT_CLOSED;
        }
    }
    return scan_expected(s, kind == '[' ? "\",\" or \"]\"" : "\",\" or \"}\""), NEXT_FAILED;
}

static bool scan_text(struct scanner *s)
{
    enum next next;

    do {
        next = scan_value(s);
        while (next == NEXT_CLOSED && s->depth)
            next = scan_after(s);
    } while (next == NEXT_VALUE);
    if (next == NEXT_FAILED)
        return false;
    skip_space(s);
    return s->at == s->end || scan_expected(s, "the end of the text");
}

bool json_scan(const char *text, size_t len, const struct json_limits *limits,
               struct json_scan *found, struct error *err)
{
    struct scanner s;

    if (!limits)
        limits = &json_limits_default;
    *found = (struct json_scan){ .nodes = 0 };
    if (len > limits->bytes)
        return error_set(err, "json_size", "JSON text of %zu bytes is over the limit of %zu", len,
                         limits->bytes);
    if (!text)
        text = "";
    s.text = s.at = text;
    s.end = text + len;
    s.found = found;
    s.err = err;
    s.id = NULL;
    s.id_next = false;
    s.depth = 0;
    s.depth_max = limits->depth < JSON_DEPTH_MAX ? limits->depth : JSON_DEPTH_MAX;
    s.nodes_max = limits->nodes;
    return scan_text(&s);
}

bool json_is_limit(const struct error *err)
{
    static const char *const codes[] = { "json_depth", "json_size", "json_nodes", "json_number",
                                         "json_surrogate" };

    for (size_t i = 0; i < countof(codes); i++)
        if (strcmp(err->code, codes[i]) == 0)
            return true;
    return false;
}
