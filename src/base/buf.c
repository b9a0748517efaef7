/* Growing buffers: doubling, so that n appends cost O(n). */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

void buf_free(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){ 0 };
}

char *buf_reserve(struct buf *buf, size_t extra)
{
    size_t need = buf->len + extra;

    if (need > buf->cap || !buf->data) {
        size_t cap = buf->cap ? buf->cap * 2 : 64;

        if (cap < need)
            cap = need;
        buf->data = mem_resize(buf->data, cap);
        buf->cap = cap;
    }
    return buf->data + buf->len;
}

void buf_add(struct buf *buf, const void *ptr, size_t len)
{
    if (!len)
        return;
    memcpy(buf_reserve(buf, len), ptr, len);
    buf->len += len;
}

void buf_adds(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_addf(struct buf *buf, const char *fmt, ...)
{
    va_list args;
    int len;

    va_start(args, fmt);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len <= 0)
        return;
    buf_reserve(buf, (size_t)len + 1);
    va_start(args, fmt);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, args);
    va_end(args);
    buf->len += (size_t)len;
}

void buf_addu(struct buf *buf, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    buf_add(buf, digits + at, sizeof digits - at);
}

void buf_hex(struct buf *buf, const void *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = bytes;

    for (size_t i = 0; i < len; i++) {
        buf_addc(buf, digits[at[i] >> 4]);
        buf_addc(buf, digits[at[i] & 15]);
    }
}

void buf_drop(struct buf *buf, size_t n)
{
    if (!n)
        return;
    buf->len -= n;
    memmove(buf->data, buf->data + n, buf->len);
}

const char *buf_text(struct buf *buf)
{
    *buf_reserve(buf, 1) = '\0';
    return buf->data;
}

char *buf_take(struct buf *buf)
{
    char *text;

    buf_text(buf);
    text = buf->data;
    *buf = (struct buf){ 0 };
    return text;
}
