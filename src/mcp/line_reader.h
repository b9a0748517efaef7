/* Bytes as they come, taken apart into messages: one a line. */
#ifndef PERIGEE_MCP_LINE_READER_H
#define PERIGEE_MCP_LINE_READER_H

#include "base/buf.h"

/* A line that was longer than max_line and is not kept: its two ends, with
 * which the message can often be told. */
struct oversized_line {
    struct str head, tail; /* at most 512 bytes each; borrowed for the call */
    uint64_t len;          /* length of the whole line */
};

/* Lines come without their end ("\n" or "\r\n"), blank ones not at all. Borrowed for the call,
 * which may call line_reader_stop(). */
struct line_events {
    void (*line)(void *arg, const char *line, size_t len);
    void (*oversized)(void *arg, const struct oversized_line *line);
};

enum { LINE_END_SIZE = 512 }; /* kept of each end of an oversized line */

struct line_reader {
    const struct line_events *events; /* borrowed, as the next */
    void *arg;
    size_t max_line;
    struct buf line;          /* the beginning of an unfinished line */
    uint64_t dropped;         /* > 0: bytes of an oversized line so far; `line` has its head */
    char tail[LINE_END_SIZE]; /* the end of the oversized line */
    size_t tail_len;
    bool stopped;
};

/* On memory of any content. */
void line_reader_init(struct line_reader *reader, size_t max_line, const struct line_events *events,
                      void *arg);
void line_reader_take(struct line_reader *reader, const char *ptr, size_t len);

/* No more bytes come: the last line counts also when its end is missing. */
void line_reader_end(struct line_reader *reader);

/* No event follows. */
void line_reader_stop(struct line_reader *reader);
void line_reader_free(struct line_reader *reader);

#endif
