/* Makes text of applications fit to be shown. */
#include "json/line.h"
#include "json/utf8.h"
#include "platform/element.h"

/* True for control characters of ASCII and Unicode, characters that turn the direction of writing,
 * and placeholders of embedded objects. */
static bool is_noise(uint32_t point)
{
    return (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7f && point < 0xa0) ||
           point == 0x61c || point == 0x200e || point == 0x200f ||
           (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ||
           point == 0x2028 || point == 0x2029 || point == 0xfffc || point == 0xfeff;
}

char *element_clean(const char *text, size_t most, bool *cut)
{
    struct buf valid = { 0 }, out = { 0 };
    size_t len = strlen(text), kept;
    const char *p, *end;

    utf8_clean(&valid, text, len < 4 * most ? len : 4 * most);
    p = buf_text(&valid);
    end = p + valid.len;
    while (p < end) {
        int size = utf8_sequence(p, end);

        if (!is_noise(utf8_decode(p, size)))
            buf_add(&out, p, (size_t)size);
        p += size;
    }
    buf_free(&valid);
    kept = utf8_cut(out.data, out.len, most);
    if (cut)
        *cut = kept < out.len || len > 4 * most;
    out.len = kept;
    return buf_take(&out);
}

char *element_label(const char *text, size_t most, bool *cut)
{
    char *label = element_clean(text, most, cut);

    line_clean_string(label);
    return label;
}
