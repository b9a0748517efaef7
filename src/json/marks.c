/* Strings are stepped over as a whole, so that what looks like a member in a text is none. */
#include "json/marks.h"

#include <stdbool.h>
#include <string.h>

#include "base/util.h"

#define MARK "\"perigee/"
#define META "\"_meta\":{"

static bool text_begins(const char *at, const char *end, const char *start)
{
    size_t len = strlen(start);

    return (size_t)(end - at) >= len && memcmp(at, start, len) == 0;
}

/* From an opening quote to behind the closing one. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at < end ? at + 1 : end;
}

/* From the beginning of a value to behind it. */
static const char *value_end(const char *at, const char *end)
{
    int depth = 0;

    while (at < end) {
        if (*at == '"') {
            at = string_end(at, end);
        } else {
            if (!depth && strchr(",}]", *at))
                return at;
            depth += *at == '{' || *at == '[';
            depth -= *at == '}' || *at == ']';
            at++;
        }
        if (!depth && at < end && strchr(",}]", *at))
            return at;
    }
    return end;
}

/* Is there any? Most texts have none. */
static bool has_mark(const char *at, const char *end)
{
    for (; (at = memchr(at, '"', (size_t)(end - at))); at++)
        if (text_begins(at, end, MARK))
            return true;
    return false;
}

static bool is_kept_name(struct str name, const char *const *kept)
{
    for (; kept && *kept; kept++)
        if (str_same(str_from(*kept), name))
            return true;
    return false;
}

/* Copies the object at `*at` to `out`, which is not behind it, without its marks; `*at` is behind
 * it then. Gives the end of the copy. */
static char *copy_object(const char **at, const char *end, char *out, const char *const *kept)
{
    const char *from = *at + 1;
    bool first = true;

    *out++ = '{';
    while (from < end && *from == '"') {
        const char *name = string_end(from, end), *stop = value_end(name + 1, end);
        bool stays = !text_begins(from, end, MARK) ||
                     is_kept_name((struct str){ from + 1, (size_t)(name - from) - 2 }, kept);

        if (stays) {
            if (!first)
                *out++ = ',';
            first = false;
            memmove(out, from, (size_t)(stop - from));
            out += stop - from;
        }
        from = stop < end && *stop == ',' ? stop + 1 : stop;
    }
    *out++ = '}';
    *at = from < end ? from + 1 : end;
    return out;
}

void json_drop_marks(char *json, size_t *len)
{
    const char *at = json, *end = json + *len, *stop;
    char *out = json;

    if (!has_mark(at, end))
        return;
    while (at < end) {
        if (text_begins(at, end, META)) {
            stop = at + sizeof META - 2; /* the brace */
            memmove(out, at, (size_t)(stop - at));
            out += stop - at;
            at = stop;
            out = copy_object(&at, end, out, NULL);
            continue;
        }
        stop = *at == '"' ? string_end(at, end) : at + 1;
        memmove(out, at, (size_t)(stop - at));
        out += stop - at;
        at = stop;
    }
    *len = (size_t)(out - json);
}

void json_drop_marks_of(char *object, size_t *len, const char *const *kept)
{
    const char *at = object;

    if (*len && *object == '{' && has_mark(object, object + *len))
        *len = (size_t)(copy_object(&at, object + *len, object, kept) - object);
}
