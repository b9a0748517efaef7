/* Outside of strings there is neither a backslash nor anything beyond ASCII, so nothing has to know
 * where strings begin. */
#include "json/shown.h"

#include <stdbool.h>
#include <string.h>

#include "base/hidden.h"
#include "json/hex.h"
#include "json/utf8.h"

struct character {
    uint32_t point;
    size_t bytes; /* its length in the text; 0: the end */
};

/* Reads an escape. Characters such as a quotation mark follow the backslash as they are. */
static struct character read_escape(const char *at, const char *end)
{
    static const char names[] = "bfnrt", points[] = "\b\f\n\r\t";
    long unit = hex_escape(at, end), low;
    const char *name;

    if (unit >= 0xd800 && unit < 0xdc00) {
        low = hex_escape(at + 6, end);
        if (low >= 0xdc00 && low < 0xe000)
            return (struct character){ (uint32_t)(0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00),
                                       12 };
    }
    if (unit >= 0)
        return (struct character){ (uint32_t)unit, 6 };
    if (end - at < 2)
        return (struct character){ '\\', 1 };
    name = strchr(names, at[1]);
    return (struct character){ name && at[1] ? (uint32_t)points[name - names]
                                             : (unsigned char)at[1],
                               2 };
}

static struct character character_at(const char *at, const char *end)
{
    int size;

    if (at >= end)
        return (struct character){ 0, 0 };
    if (*at == '\\')
        return read_escape(at, end);
    size = utf8_sequence(at, end);
    if (size < 0)
        return (struct character){ '?', (size_t)-size };
    return (struct character){ utf8_decode(at, size), (size_t)size };
}

static bool is_line_end(uint32_t point)
{
    return point == '\r' || point == 0x85 || point == 0x2028 || point == 0x2029;
}

/* Up to where something may be hidden. A byte below 0x20 is a blank between values. */
static const char *skip_plain(const char *at, const char *end)
{
    while (at < end && *at != '\\' && (unsigned char)*at < 0x7f)
        at++;
    return at;
}

size_t json_show(char *json, size_t *len)
{
    const char *at = json, *end = json + *len;
    char *out = json;
    uint32_t before = 0;
    size_t hidden = 0;

    while (at < end) {
        const char *plain = skip_plain(at, end);
        struct character now, next;

        if (plain > at) {
            memmove(out, at, (size_t)(plain - at));
            out += plain - at;
            before = (unsigned char)plain[-1];
            at = plain;
            continue;
        }
        now = character_at(at, end);
        next = character_at(at + now.bytes, end);
        if (is_line_end(now.point) && !(now.point == '\r' && next.point == '\n')) {
            *out++ = '\\'; /* two bytes, as long as the shortest of them */
            *out++ = 'n';
        } else if (now.point == '\n' || now.point == '\t' || now.point == '\r' ||
                   hidden_stays(now.point, before, next.point)) {
            memmove(out, at, now.bytes);
            out += now.bytes;
        } else {
            hidden++;
            at += now.bytes;
            continue;
        }
        before = now.point;
        at += now.bytes;
    }
    *len = (size_t)(out - json);
    return hidden;
}

size_t json_show_from(struct buf *text, size_t from)
{
    size_t len = text->len - from, hidden = len ? json_show(text->data + from, &len) : 0;

    text->len = from + len;
    return hidden;
}
