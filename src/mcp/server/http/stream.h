/* The answer to one POST or GET: JSON, or a stream of events, as it turns out. */
#ifndef PERIGEE_MCP_SERVER_HTTP_STREAM_H
#define PERIGEE_MCP_SERVER_HTTP_STREAM_H

#include "mcp/server/http/endpoint_impl.h"

struct http_session;

struct http_event {
    struct link link;
    uint64_t number;
    size_t len;
    char text[];
};

struct http_stream {
    struct sink sink;
    struct link link;  /* in http->streams while it has a reader, or http->dead */
    struct link place; /* in session->streams */
    struct http_server *http;
    struct http_session *session; /* NULL: of a stateless request */
    struct session *own;          /* then: its session */
    struct httpd_exchange *x;     /* NULL: no reader */
    unsigned holds;
    bool general; /* a session's stream for what belongs to no request */
    bool buried;  /* in http->dead */
    bool opened;  /* as a stream of events */
    bool closed;  /* its reader has had the last byte that it gets */
    bool done;    /* nothing more will be sent */
    bool wants_events;
    unsigned number;                   /* in its session */
    uint64_t last;                     /* the number of the last event */
    uint64_t begun, written, finished; /* ms */
    struct buf message;                /* between begin and end */
    struct link events;                /* to be told again */
    size_t event_count, event_bytes;
};

/* Does the client take a stream of events? */
bool stream_accepted(struct http_server *http, struct httpd_exchange *x);

/* session: NULL: of a stateless request. x: NULL: no reader yet. The maker holds it. */
struct http_stream *stream_new(struct http_server *http, struct http_session *session,
                               struct httpd_exchange *x);
void stream_drop(struct http_stream *stream);   /* lets go of the maker's hold */
void stream_left(struct http_stream *stream);   /* the reader is gone */
void stream_finish(struct http_stream *stream); /* nothing more will be sent */
void stream_settle(struct http_stream *stream); /* frees it, a turn later, if it is not needed */
void stream_close(struct http_stream *stream);  /* its reader is sent away */

/* Has another reader, which gets the events after this one again. */
void stream_attach(struct http_stream *stream, struct httpd_exchange *x, uint64_t after);
void stream_tick(struct http_stream *stream, uint64_t now); /* ms */
void stream_free(struct http_stream *stream);               /* the reaper alone */

#endif
