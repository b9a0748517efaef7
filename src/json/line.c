/* Character by character: what stays is known from the one before and the one after it. */
#include "json/line.h"

#include <stdint.h>
#include <string.h>

#include "base/hidden.h"
#include "json/utf8.h"

static bool point_is_within(uint32_t point, uint32_t first, uint32_t last)
{
    return point >= first && point <= last;
}

static bool is_break(uint32_t point)
{
    return point_is_within(point, '\t', '\r') || point == 0x85 || point == 0x2028 ||
           point == 0x2029;
}

static uint32_t point_at(const char *at, const char *end)
{
    int size = at < end ? utf8_sequence(at, end) : 0;

    return size > 0 ? utf8_decode(at, size) : 0;
}

size_t line_clean(char *out, const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    uint32_t before = 0;
    bool broken = false;
    size_t used = 0;

    while (at < end) {
        int size = utf8_sequence(at, end);
        uint32_t point = size > 0 ? utf8_decode(at, size) : '?';
        const char *next = at + (size > 0 ? size : -size);
        bool breaks = size > 0 && is_break(point);

        if (breaks && !broken) {
            out[used++] = ' ';
            before = ' ';
        } else if (size < 0) {
            out[used++] = '?';
            before = '?';
        } else if (!breaks && hidden_stays(point, before, point_at(next, end))) {
            memmove(out + used, at, (size_t)size);
            used += (size_t)size;
            before = point;
        }
        broken = breaks;
        at = next;
    }
    return used;
}

bool line_is_clean(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7f)
            return false;
    return true;
}

void line_clean_string(char *text)
{
    text[line_clean(text, text, strlen(text))] = '\0';
}
