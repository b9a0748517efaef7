/* Server-sent events, as they come in: bytes are fed, events are taken.
 *
 * The rules are those of the HTML standard, section "Server-sent events":
 * lines end in CR, LF or CRLF, also across the border of two feeds; what is
 * incomplete at the end of the stream is not an event. */
#ifndef PERIGEE_HTTP_SSE_H
#define PERIGEE_HTTP_SSE_H

#include "base/buf.h"

/* On the caller's memory; filled by sse_init(). Read last_id and retry_ms. */
struct sse {
    struct buf input; /* fed and not parsed yet */
    size_t start;     /* where the next line begins */
    size_t seen;      /* no line ends before this */
    struct buf data, type, last_id;
    size_t max_event;
    int64_t retry_ms; /* -1 until the server sends one */
    bool begun;       /* past the byte order mark */
    bool skip_lf;     /* the last line ended in CR */
    bool failed;
};

struct sse_event {
    struct str type; /* "message" when the server names none */
    struct str data; /* lines joined by LF */
    struct str id;   /* the last one sent so far; "" before the first */
};

enum sse_step {
    SSE_EVENT,
    SSE_MORE,      /* feed first */
    SSE_TOO_LARGE, /* a line or an event of more than max_event bytes; final */
};

void sse_init(struct sse *sse, size_t max_event);
void sse_free(struct sse *sse);

/* Copies. Take all events after each feed, so that little is kept. */
void sse_feed(struct sse *sse, const char *ptr, size_t len);

/* The event borrows from sse until the next call of any function here. */
enum sse_step sse_next(struct sse *sse, struct sse_event *event);

#endif
