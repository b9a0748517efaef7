/* A buffer with two marks. Taking moves a mark; the bytes move only when half of
 * them are gone, so that many short lines cost no more than one long one. */
#include "sys/process/lines.h"

void lines_free(struct lines *lines)
{
    buf_free(&lines->buf);
    *lines = (struct lines){ 0 };
}

void lines_add(struct lines *lines, const char *ptr, size_t len)
{
    if (lines->skipping) {
        const char *end = memchr(ptr, '\n', len);

        if (!end)
            return;
        lines->skipping = false;
        len -= (size_t)(end + 1 - ptr);
        ptr = end + 1;
    }
    buf_add(&lines->buf, ptr, len);
}

bool lines_next(struct lines *lines, struct str *line)
{
    const char *end = NULL;

    if (lines->scanned < lines->buf.len)
        end = memchr(lines->buf.data + lines->scanned, '\n', lines->buf.len - lines->scanned);
    lines->scanned = end ? (size_t)(end - lines->buf.data) : lines->buf.len;
    if (!end)
        return false;
    *line = (struct str){ lines->buf.data + lines->at, lines->scanned - lines->at };
    return true;
}

struct str lines_rest(const struct lines *lines)
{
    size_t len = lines->buf.len - lines->at;

    return (struct str){ len ? lines->buf.data + lines->at : "", len };
}

void lines_take(struct lines *lines, size_t len)
{
    lines->at += len;
    lines->scanned = lines->at;
    if (lines->at == lines->buf.len)
        lines->buf.len = lines->at = lines->scanned = 0;
    else if (lines->at > lines->buf.len / 2) {
        buf_drop(&lines->buf, lines->at);
        lines->at = lines->scanned = 0;
    }
}

void lines_skip(struct lines *lines)
{
    lines_take(lines, lines_rest(lines).len);
    lines->skipping = true;
}
