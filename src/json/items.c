/* Finding where items end takes brackets and quotes only, because the text is
 * known to be JSON. */
#include "json/items.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

struct json_items json_items(const char *text, size_t len)
{
    struct json_items items = { text, text + len };

    while (*items.at != '[')
        items.at++;
    return items;
}

/* From a quote to behind the one that closes it. */
static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p + 1;
}

/* To the comma or bracket behind the value that begins here. */
static const char *skip_value(const char *p)
{
    size_t depth = 0;

    while (depth || (*p != ',' && *p != ']')) {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == '[' || *p == '{')
            depth++;
        else if (*p == ']' || *p == '}')
            depth--;
        p++;
    }
    return p;
}

bool json_items_next(struct json_items *items, struct str *item)
{
    const char *start = items->at + 1, *end; /* at the "[" or a "," */

    if (items->at == items->end || *items->at == ']')
        return false;
    while (is_space(*start))
        start++;
    end = items->at = skip_value(start);
    while (end > start && is_space(end[-1]))
        end--;
    *item = (struct str){ start, (size_t)(end - start) };
    return end > start; /* nothing: an empty array */
}
