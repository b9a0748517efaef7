/* One code point of a text. */
#ifndef PERIGEE_BASE_UTF8PROC_POINT_H
#define PERIGEE_BASE_UTF8PROC_POINT_H

#include <utf8proc.h>

#include "base/util.h"

/* The code point at `at` (below text.len), and its length; one byte and -1 if it is not UTF-8. */
static inline size_t point_read(struct str text, size_t at, utf8proc_int32_t *point)
{
    utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)text.ptr + at,
                                             (utf8proc_ssize_t)(text.len - at), point);

    return size > 0 ? (size_t)size : 1;
}

#endif
