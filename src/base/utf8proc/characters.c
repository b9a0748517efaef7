/* The characters of a text and the columns that they take. */
#include "base/utf8proc/characters.h"

#include "base/utf8proc/point.h"

enum { EMOJI_SELECTOR = 0xFE0F };

static bool is_regional_indicator(utf8proc_int32_t point)
{
    return point >= 0x1F1E6 && point <= 0x1F1FF;
}

/* A flag, and what is asked to be shown as an emoji, is wide. Of a letter with its marks, and of
 * joined emoji, the widest part counts. */
static size_t widen_columns(size_t width, utf8proc_int32_t before, utf8proc_int32_t point)
{
    int own = utf8proc_charwidth(point);

    if (point == EMOJI_SELECTOR || (is_regional_indicator(point) && is_regional_indicator(before)))
        return width ? 2 : 0;
    return own > (int)width ? (size_t)own : width;
}

/* The length of the character at `at`, and its columns. */
static size_t measure_character(struct str text, size_t at, size_t *columns)
{
    utf8proc_int32_t before, point, state = 0;
    size_t len = point_read(text, at, &before), size;

    *columns = before < 0 ? 1 : (size_t)utf8proc_charwidth(before);
    for (; before >= 0 && at + len < text.len; len += size, before = point) {
        size = point_read(text, at + len, &point);
        if (point < 0 || utf8proc_grapheme_break_stateful(before, point, &state))
            break;
        *columns = widen_columns(*columns, before, point);
    }
    return len;
}

/* Is this byte a character of its own, whatever follows it: ASCII before ASCII? */
static bool is_alone(struct str text, size_t at)
{
    unsigned char c = (unsigned char)text.ptr[at];

    return c < 0x80 && c != '\r' && (at + 1 == text.len || (unsigned char)text.ptr[at + 1] < 0x80);
}

void characters_walk(struct str text, const struct unicode_extent *most,
                     struct unicode_extent *walked)
{
    struct unicode_extent at = { 0, 0, 0 };

    while (at.bytes < text.len && at.bytes < most->bytes && at.characters < most->characters) {
        size_t len = 1, columns;

        if (is_alone(text, at.bytes))
            columns = text.ptr[at.bytes] >= ' ' && text.ptr[at.bytes] < 0x7F;
        else
            len = measure_character(text, at.bytes, &columns);
        if (columns > most->columns - at.columns)
            break;
        at.bytes += len;
        at.columns += columns;
        at.characters++;
    }
    *walked = at;
}
