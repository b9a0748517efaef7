/* A growing run of bytes. Zeroed memory is an empty buffer. */
#ifndef PERIGEE_BASE_BUF_H
#define PERIGEE_BASE_BUF_H

#include "base/util.h"

struct buf {
    char *data; /* owned; not NUL-terminated unless buf_text() was called */
    size_t len;
    size_t cap;
};

/* Accepts NULL contents; leaves an empty buffer that can be used again. */
void buf_free(struct buf *buf);

/* Room for `extra` more bytes; returns where they go (data + len). */
char *buf_reserve(struct buf *buf, size_t extra);

void buf_add(struct buf *buf, const void *ptr, size_t len);
void buf_adds(struct buf *buf, const char *text); /* NUL-terminated */
void buf_addf(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_addu(struct buf *buf, uint64_t number);              /* in decimal digits */
void buf_hex(struct buf *buf, const void *bytes, size_t len); /* two digits for each, lower case */
static inline void buf_addc(struct buf *buf, char c)
{
    if (UNLIKELY(buf->len == buf->cap))
        buf_reserve(buf, 1);
    buf->data[buf->len++] = c;
}
#define buf_lit(buf, literal) buf_add(buf, "" literal, sizeof(literal) - 1)

/* Drops the first n bytes (n <= len) and moves the rest down. */
void buf_drop(struct buf *buf, size_t n);

/* The contents as a NUL-terminated string; borrowed until the next change. */
const char *buf_text(struct buf *buf);

/* Gives the contents, NUL-terminated, to the caller (free()); empties buf. */
char *buf_take(struct buf *buf);

static inline struct str buf_str(const struct buf *buf)
{
    return (struct str){ buf->data, buf->len };
}

#endif
