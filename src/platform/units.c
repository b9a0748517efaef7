#include "platform/units.h"

#include <string.h>

#include "json/utf8.h"

struct count {
    int characters;
    int64_t units;
    size_t bytes;
};

/* Counts until one of the two is reached. */
static struct count count_until(const char *text, int characters, int64_t units)
{
    const char *at = text, *end = at + strlen(at);
    struct count count = { 0, 0, 0 };

    while (at < end && count.characters < characters && count.units < units) {
        int size = utf8_sequence(at, end);

        at += size < 0 ? -size : size;
        count.units += size == 4 ? 2 : 1;
        count.characters++;
    }
    count.bytes = (size_t)(at - text);
    return count;
}

int64_t units_at(const char *text, int character)
{
    return count_until(text, character, INT64_MAX).units;
}

size_t units_byte(const char *text, int character)
{
    return count_until(text, character, INT64_MAX).bytes;
}

int units_character(const char *text, int64_t unit)
{
    return count_until(text, INT32_MAX, unit).characters;
}
