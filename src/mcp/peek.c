/* Reading the ends of a message without its middle. See peek.h. */
#include "mcp/peek.h"

enum { DIGITS_MAX = 15 }; /* below 2^53; our ids are small */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && is_space(*p))
        p++;
    return p;
}

/* From the opening quote to behind the closing one; NULL if that is not there. */
static const char *skip_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++) {
        if (*p == '\\')
            p++;
    }
    return p < end ? p + 1 : NULL;
}

/* A string, number or word; NULL for an array, an object or a cut value. */
static const char *skip_scalar(const char *p, const char *end)
{
    if (p == end || *p == '{' || *p == '[')
        return NULL;
    if (*p == '"')
        return skip_string(p, end);
    while (p < end && *p != ',' && *p != '}')
        p++;
    return p < end ? p : NULL;
}

static bool read_digits(const char *p, const char *end, int64_t *id)
{
    int64_t value = 0;

    if (p == end || (*p == '0' && end - p > 1) || end - p > DIGITS_MAX)
        return false;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return false;
        value = value * 10 + (*p - '0');
    }
    *id = value;
    return true;
}

bool message_own_id(struct str text, int64_t *id)
{
    bool quoted = text.len > 2 && text.ptr[0] == '"' && text.ptr[text.len - 1] == '"';

    return read_digits(text.ptr + quoted, text.ptr + text.len - quoted, id);
}

static const char *trim_right(const char *start, const char *end)
{
    while (end > start && is_space(end[-1]))
        end--;
    return end;
}

/* A number, or a string without escapes: what an id looks like. */
static bool is_id(const char *p, const char *end)
{
    if (end - p >= 2 && *p == '"' && end[-1] == '"') {
        for (p++; p < end - 1; p++) {
            if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7E || *p == '"' || *p == '\\')
                return false;
        }
        return true;
    }
    p += p < end && *p == '-';
    if (p == end || (*p == '0' && end - p > 1) || end - p > DIGITS_MAX)
        return false;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p == end;
}

/* One `"key":scalar` at *at. True if it was the id; else *at is behind the
 * comma, or NULL when there is no more to read. */
static bool read_member(const char **at, const char *end, struct str *id)
{
    const char *key = skip_space(*at, end);
    const char *after = key < end && *key == '"' ? skip_string(key, end) : NULL;
    const char *value, *stop;

    *at = NULL;
    if (!after)
        return false;
    value = skip_space(after, end);
    if (value == end || *value != ':')
        return false;
    value = skip_space(value + 1, end);
    stop = skip_scalar(value, end);
    if (!stop)
        return false;
    *id = (struct str){ value, (size_t)(trim_right(value, stop) - value) };
    if (after - key == 4 && memcmp(key, "\"id\"", 4) == 0 && is_id(id->ptr, id->ptr + id->len))
        return true;
    stop = skip_space(stop, end);
    if (stop < end && *stop == ',')
        *at = stop + 1;
    return false;
}

static bool head_id(struct str head, struct str *id)
{
    const char *end = head.ptr + head.len;
    const char *at = skip_space(head.ptr, end);

    if (at == end || *at != '{')
        return false;
    at++;
    while (at) {
        if (read_member(&at, end, id))
            return true;
    }
    return false;
}

/* Where the scalar begins that ends at `end`. */
static const char *scalar_start(const char *start, const char *end)
{
    const char *p = end;

    if (p > start && p[-1] == '"') {
        for (p--; p > start && p[-1] != '"'; p--)
            ;
        return p > start ? p - 1 : end;
    }
    while (p > start && (p[-1] == '-' || (p[-1] >= '0' && p[-1] <= '9')))
        p--;
    return p;
}

/* `,"id":7}` at the very end: the brace closes the outermost object, so this is
 * its member and cannot be part of a string. */
static bool tail_id(struct str tail, struct str *id)
{
    const char *start = tail.ptr;
    const char *end = trim_right(start, start + tail.len);
    const char *value, *colon, *key;

    if (end == start || end[-1] != '}')
        return false;
    end = trim_right(start, end - 1);
    value = scalar_start(start, end);
    if (!is_id(value, end))
        return false;
    colon = trim_right(start, value);
    if (colon == start || colon[-1] != ':')
        return false;
    key = trim_right(start, colon - 1);
    if (key - start < 4 || memcmp(key - 4, "\"id\"", 4) != 0)
        return false;
    key = trim_right(start, key - 4);
    *id = (struct str){ value, (size_t)(end - value) };
    return key > start && (key[-1] == ',' || key[-1] == '{');
}

bool message_peek_id_text(struct str head, struct str tail, struct str *id)
{
    return head_id(head, id) || tail_id(tail, id);
}

bool message_peek_id(struct str head, struct str tail, int64_t *id)
{
    struct str text;

    return message_peek_id_text(head, tail, &text) && message_own_id(text, id);
}
