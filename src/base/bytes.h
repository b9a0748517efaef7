/* Numbers and strings in bytes, little-endian, for messages between our own processes.
 *
 * Reading never goes past the end: what is not there is 0 or empty, and `bad` stays set, so that a
 * reader may take all members of a message and look once. */
#ifndef PERIGEE_BASE_BYTES_H
#define PERIGEE_BASE_BYTES_H

#include "base/buf.h"

static inline void bytes_set_u32(char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)(value >> (8 * i) & 0xFF);
}

static inline void bytes_u32(struct buf *out, uint32_t value)
{
    bytes_set_u32(buf_reserve(out, 4), value);
    out->len += 4;
}

static inline void bytes_u64(struct buf *out, uint64_t value)
{
    bytes_u32(out, (uint32_t)value);
    bytes_u32(out, (uint32_t)(value >> 32));
}

static inline void bytes_double(struct buf *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    bytes_u64(out, bits);
}

/* Its length, then its bytes. At most 4 GB, which callers see to. */
static inline void bytes_str(struct buf *out, struct str text)
{
    bytes_u32(out, (uint32_t)text.len);
    buf_add(out, text.ptr, text.len);
}

struct bytes {
    struct str left;
    bool bad; /* something was not there */
};

/* The next `len` bytes; NULL when there are fewer. */
static inline const char *bytes_take(struct bytes *from, size_t len)
{
    const char *at = from->left.ptr;

    if (from->bad || len > from->left.len) {
        from->bad = true;
        return NULL;
    }
    from->left.ptr += len;
    from->left.len -= len;
    return at;
}

static inline uint8_t bytes_get_u8(struct bytes *from)
{
    const char *at = bytes_take(from, 1);

    return at ? (uint8_t)*at : 0;
}

static inline uint32_t bytes_get_u32(struct bytes *from)
{
    const char *at = bytes_take(from, 4);
    uint32_t value = 0;

    for (int i = 0; at && i < 4; i++)
        value |= (uint32_t)(uint8_t)at[i] << (8 * i);
    return value;
}

static inline uint64_t bytes_get_u64(struct bytes *from)
{
    uint64_t low = bytes_get_u32(from);

    return low | (uint64_t)bytes_get_u32(from) << 32;
}

static inline double bytes_get_double(struct bytes *from)
{
    uint64_t bits = bytes_get_u64(from);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline struct str bytes_get_str(struct bytes *from)
{
    size_t len = bytes_get_u32(from);
    const char *at = bytes_take(from, len);

    return (struct str){ at, at ? len : 0 };
}

#endif
