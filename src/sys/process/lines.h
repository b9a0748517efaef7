/* Bytes that come in pieces, taken out as lines. Zeroed memory is empty. */
#ifndef PERIGEE_SYS_PROCESS_LINES_H
#define PERIGEE_SYS_PROCESS_LINES_H

#include "base/buf.h"

struct lines {
    struct buf buf;
    size_t at;      /* so much of buf was taken */
    size_t scanned; /* up to here there is no newline; >= at */
    bool skipping;  /* up to the next newline nothing is kept */
};

void lines_free(struct lines *lines);

void lines_add(struct lines *lines, const char *ptr, size_t len);

/* The first line, without its newline, if there is a whole one. Borrowed until
 * the next change; take it by lines_take(line->len + 1). */
bool lines_next(struct lines *lines, struct str *line);

/* All that is there, newlines and half a line included; borrowed alike. */
struct str lines_rest(const struct lines *lines);

/* Drops so many bytes from the beginning. */
void lines_take(struct lines *lines, size_t len);

/* Drops all, and what comes until the next newline. */
void lines_skip(struct lines *lines);

#endif
