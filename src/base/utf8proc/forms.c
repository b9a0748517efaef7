/* Text in one case or form. */
#include "base/utf8proc/forms.h"

#include <stdlib.h>

#include "base/utf8proc/point.h"

bool forms_map(struct buf *out, struct str text, enum unicode_form form)
{
    static const utf8proc_option_t options[] = {
        [UNICODE_FOLD] = UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE,
        [UNICODE_NFC] = UTF8PROC_COMPOSE,
        [UNICODE_NFD] = UTF8PROC_DECOMPOSE,
        [UNICODE_NFKC] = UTF8PROC_COMPAT | UTF8PROC_COMPOSE,
        [UNICODE_NFKD] = UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE,
    };
    utf8proc_uint8_t *mapped = NULL;
    utf8proc_ssize_t len =
        utf8proc_map((const utf8proc_uint8_t *)text.ptr, (utf8proc_ssize_t)text.len, &mapped,
                     UTF8PROC_STABLE | options[form]);

    if (len < 0)
        return false;
    buf_add(out, mapped, (size_t)len);
    free(mapped);
    return true;
}

static void map_cases(struct buf *out, struct str text, bool upper)
{
    utf8proc_int32_t point;
    size_t size;

    for (size_t at = 0; at < text.len; at += size) {
        size = point_read(text, at, &point);
        if (point < 0) {
            buf_addc(out, text.ptr[at]);
            continue;
        }
        point = upper ? utf8proc_toupper(point) : utf8proc_tolower(point);
        buf_reserve(out, 4);
        out->len += (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)out->data + out->len);
    }
}

/* Text with bytes that are not UTF-8: what is between them, piece by piece. */
static void map_pieces(struct buf *out, struct str text, enum unicode_form form)
{
    utf8proc_int32_t point;
    size_t begun = 0, size;

    for (size_t at = 0; at < text.len; at += size) {
        size = point_read(text, at, &point);
        if (point >= 0)
            continue;
        forms_map(out, (struct str){ text.ptr + begun, at - begun }, form);
        buf_addc(out, text.ptr[at]);
        begun = at + 1;
    }
    forms_map(out, (struct str){ text.ptr + begun, text.len - begun }, form);
}

void forms_convert(struct buf *out, struct str text, enum unicode_form form)
{
    if (form == UNICODE_LOWER || form == UNICODE_UPPER)
        map_cases(out, text, form == UNICODE_UPPER);
    else if (!forms_map(out, text, form))
        map_pieces(out, text, form);
}
