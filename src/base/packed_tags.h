/* How plain values are packed (script/packed.h), for code that knows no Lua. */
#ifndef PERIGEE_BASE_PACKED_TAGS_H
#define PERIGEE_BASE_PACKED_TAGS_H

#include "base/bytes.h"

/* The first byte of a value. */
enum packed_tag {
    TAG_NIL,
    TAG_FALSE,
    TAG_TRUE,
    TAG_NULL,
    TAG_INTEGER,
    TAG_NUMBER,
    TAG_STRING,
    TAG_TABLE,
    TAG_DIGITS
};

static inline void packed_add_integer(struct buf *out, int64_t value)
{
    buf_addc(out, TAG_INTEGER);
    bytes_u64(out, (uint64_t)value);
}

static inline void packed_add_number(struct buf *out, double value)
{
    buf_addc(out, TAG_NUMBER);
    bytes_double(out, value);
}

static inline void packed_add_text(struct buf *out, struct str text)
{
    buf_addc(out, TAG_STRING);
    bytes_str(out, text);
}

/* Begins a table without list items: `pairs` keys and values follow. */
static inline void packed_begin_table(struct buf *out, uint32_t pairs)
{
    buf_addc(out, TAG_TABLE);
    buf_addc(out, 0); /* no marker */
    bytes_u32(out, 0);
    bytes_u32(out, pairs);
}

#endif
