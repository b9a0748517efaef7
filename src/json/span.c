/* Skips over values by their brackets and quotes; the grammar was checked before. */
#include "json/span.h"

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* p at the opening quote; returns what follows the closing one. */
static const char *skip_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p < end ? p + 1 : end;
}

static const char *skip_value(const char *p, const char *end)
{
    int depth = 0;

    while (p < end) {
        if (*p == '"') {
            p = skip_string(p, end);
            if (!depth)
                return p;
            continue;
        }
        if (*p == '{' || *p == '[')
            depth++;
        else if (*p == '}' || *p == ']')
            depth--;
        else if (!depth && (*p == ',' || *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
            return p; /* a number or a word ends here */
        if (depth < 0)
            return p; /* the bracket of the container */
        p++;
        if (!depth && (p[-1] == '}' || p[-1] == ']'))
            return p;
    }
    return end;
}

struct str json_span_member(struct str object, const char *name)
{
    const char *end = object.ptr + object.len;
    const char *p = skip_space(object.ptr, end);
    struct str found = { 0 }, wanted = str_from(name);

    if (p == end || *p != '{')
        return found;
    p = skip_space(p + 1, end);
    while (p < end && *p == '"') {
        const char *after = skip_string(p, end);
        struct str key = { p + 1, (size_t)(after - p) - 2 };
        const char *value = skip_space(skip_space(after, end) + 1, end); /* past the colon */

        p = skip_value(value, end);
        if (str_same(key, wanted))
            found = (struct str){ value, (size_t)(p - value) };
        p = skip_space(p, end);
        if (p < end && *p == ',')
            p = skip_space(p + 1, end);
    }
    return found;
}

bool json_span_next(struct str *rest, struct str *item)
{
    const char *end = rest->ptr + rest->len;
    const char *p = skip_space(rest->ptr, end);

    if (p == end || (*p != '[' && *p != ','))
        return false;
    p = skip_space(p + 1, end);
    if (p == end || *p == ']')
        return false;
    item->ptr = p;
    p = skip_value(p, end);
    item->len = (size_t)(p - item->ptr);
    *rest = (struct str){ p, (size_t)(end - p) };
    return true;
}
