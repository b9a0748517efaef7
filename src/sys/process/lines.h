/* Bytes that come in pieces, taken out as lines. Zeroed memory is empty. */
#ifndef PERIGEE_SYS_PROCESS_LINES_H
#define PERIGEE_SYS_PROCESS_LINES_H

#include "base/buf.h"

struct lines {
    struct buf buf;
    size_t at;      /* number of bytes of buf that were taken */
    size_t scanned; /* there is no newline before this place; >= at */
    bool skipping;  /* drops what comes up to the next newline */
};

void lines_free(struct lines *lines);

void lines_add(struct lines *lines, const char *ptr, size_t len);

/* The first line, without its newline, if there is a whole one. Borrowed until
 * the next change; take it by lines_take(line->len + 1). */
bool lines_next(struct lines *lines, struct str *line);

/* Returns all that is there, newlines and half a line included. Borrowed until the next change. */
struct str lines_rest(const struct lines *lines);

/* Drops `len` bytes from the beginning. */
void lines_take(struct lines *lines, size_t len);

/* Drops all, and what comes until the next newline. */
void lines_skip(struct lines *lines);

#endif
