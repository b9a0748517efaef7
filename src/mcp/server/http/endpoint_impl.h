/* What the files of the HTTP transport share. */
#ifndef PERIGEE_MCP_SERVER_HTTP_ENDPOINT_IMPL_H
#define PERIGEE_MCP_SERVER_HTTP_ENDPOINT_IMPL_H

#include "base/list.h"
#include "http/server/httpd.h"
#include "mcp/message.h"
#include "mcp/server/http/endpoint.h"
#include "mcp/versions.h"

enum {
    HTTP_BUCKETS = 256,
    HTTP_ID = 32, /* characters of a session's id */
    HTTP_KEEPALIVE_MS = 15000,
    HTTP_OPEN_MS = 5000,    /* an answer that takes longer becomes a stream */
    HTTP_RETRY_MS = 1000,   /* told to clients: wait so long before coming back */
    HTTP_KEPT_EVENTS = 256, /* of one stream, to be told again */
    HTTP_KEPT_BYTES = 1 << 20,
    HTTP_KEPT_STREAMS = 32, /* of one session, ended */
    HTTP_KEPT_MS = 60000,
    HTTP_BACKLOG = 16 << 20, /* unread bytes above which a stream is cut */
};

struct http_listener {
    struct http_server *http;
    struct http_address address;
    struct httpd *httpd;
};

struct http_token {
    char *text;               /* NULL: none */
    char *file;               /* NULL: none */
    uint64_t looked;          /* ms: when */
    int64_t changed[2], size; /* of the file then */
};

struct http_oauth;

struct http_server {
    uv_loop_t *loop;
    const struct httpd_api *api;
    struct http_server_options options; /* numbers filled in; strings owned */
    char **hosts, **origins;
    struct http_listener *listeners;
    size_t listener_count;
    struct http_token token;
    struct http_oauth *oauth; /* NULL: no issuer */
    const char *who;          /* asks now: an identity of its tokens; NULL: without one. Borrowed */
    uv_timer_t tick;
    uv_idle_t reaper;     /* frees what may not be freed where it ended */
    struct link dead;     /* streams of the reaper */
    struct link streams;  /* all that have a reader */
    struct link sessions; /* the one used longest ago first */
    struct link buckets[HTTP_BUCKETS];
    size_t session_count, stream_count;
    bool draining;
    bool stopped; /* ... and what did not end by itself */
    uint64_t drain_until;
    void (*drained)(void *arg);
    void *drained_arg;
    bool closing;
    int handles;

    uint64_t requests, answered[6]; /* by the hundreds of the status */
    uint64_t sessions_opened, sessions_expired;
};

/* --- stream.c: the answer to one POST or GET ------------------------------------------ */

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
    struct httpd_exchange *x;     /* NULL: nobody reads */
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

struct http_stream *stream_new(struct http_server *http, struct http_session *session,
                               struct httpd_exchange *x);
void stream_drop(struct http_stream *stream);   /* lets go of the maker's hold */
void stream_left(struct http_stream *stream);   /* the reader is gone */
void stream_finish(struct http_stream *stream); /* nothing more will be sent */
void stream_settle(struct http_stream *stream); /* frees it if nobody needs it */
void stream_open(struct http_stream *stream);   /* as a stream of events */
void stream_close(struct http_stream *stream);  /* its reader is sent away */
void stream_attach(struct http_stream *stream, struct httpd_exchange *x, uint64_t after);
void stream_tick(struct http_stream *stream, uint64_t now);
void stream_free(struct http_stream *stream);

/* --- sessions.c ------------------------------------------------------------------------- */

struct http_session {
    struct link link; /* in http->sessions */
    struct link bucket;
    struct http_server *http;
    struct session *core;
    struct http_stream *general;
    struct link streams; /* but the general one */
    size_t open;         /* streams that are not done */
    unsigned next_stream;
    uint64_t used; /* ms */
    char *who;     /* opened it, and alone may use it; NULL: without an identity */
    char id[HTTP_ID + 1];
};

struct http_session *http_session_new(struct http_server *http); /* NULL: there are too many */
/* The one that the exchange names; NULL: the exchange was answered. */
struct http_session *http_session_of(struct http_server *http, struct httpd_exchange *x);
struct http_session *http_session_find(struct http_server *http, const char *id);
void http_session_use(struct http_session *session);
void http_session_end(struct http_session *session);
void http_sessions_tick(struct http_server *http, uint64_t now);

/* --- guard.c: who may ask ---------------------------------------------------------------- */

/* Answers and returns false unless this exchange may go on. */
bool guard_origin(struct http_server *http, struct httpd_exchange *x);

enum guard { GUARD_ENTER, GUARD_ANSWERED, GUARD_WAIT /* for keys */ };
/* Sets http->who when it may enter. */
enum guard guard_token(struct http_server *http, struct httpd_exchange *x);
bool guard_this_machine(const char *host); /* "localhost:80" and the like */
struct str guard_host_name(const char *host);
const char *guard_allowed_origin(struct http_server *http, struct httpd_exchange *x);
struct http_listener *http_listener_of(struct httpd_exchange *x);

/* --- oauth.c: tokens of an authorization server ------------------------------------------ */

struct http_oauth *oauth_new(struct http_server *http, const struct http_oauth_options *options);
void oauth_free(struct http_oauth *oauth);
enum guard oauth_check(struct http_server *http, struct httpd_exchange *x, struct str token);
/* No token, or none that anybody here gave. */
void oauth_challenge(struct http_server *http, struct httpd_exchange *x, const char *error,
                     const char *why);
/* Is the path one of the resource's metadata? */
bool oauth_metadata_path(struct http_server *http, struct httpd_exchange *x);
void oauth_metadata(struct http_server *http, struct httpd_exchange *x);
/* Keeps the whole exchange until the issuer's keys are there. */
void oauth_park(struct http_server *http, struct httpd_exchange *x, enum httpd_body body);
/* True: it was parked, and is forgotten. */
bool oauth_left(struct http_server *http, struct httpd_exchange *x);

/* --- post.c ------------------------------------------------------------------------------ */

void http_check_post(struct http_server *http, struct httpd_exchange *x); /* its head; may answer */
void http_post(struct http_server *http, struct httpd_exchange *x);
bool http_accepts_events(struct http_server *http, struct httpd_exchange *x);

/* --- get.c ------------------------------------------------------------------------------- */

void http_get(struct http_server *http, struct httpd_exchange *x);
void http_delete(struct http_server *http, struct httpd_exchange *x);

/* --- endpoint.c -------------------------------------------------------------------------- */

void http_server_reap(struct http_server *http); /* frees http->dead in the next turn */
char **http_copy_list(const char *const *list, size_t count); /* ends in NULL */
void http_free_list(char **list);                             /* NULL is fine */

/* --- route.c ---------------------------------------------------------------- */

extern const struct httpd_events http_route; /* for each listener */
void http_serve(struct http_server *http, struct httpd_exchange *x, enum httpd_body body);
void http_refuse_size(struct http_server *http, struct httpd_exchange *x);

/* --- header_check.c: headers that repeat the body (2026-07-28) --------------------------- */

/* True if they agree. Otherwise why has the reason. */
bool headers_agree(struct http_server *http, struct httpd_exchange *x,
                   const struct message *message, char why[256]);

/* --- metrics.c --------------------------------------------------------------------------- */

void http_metrics(struct http_server *http, struct buf *out);

/* --- answer.c: answers that are whole ---------------------------------------------------- */

enum { HTTP_HEADERS = 12 };
struct answer_headers {
    struct http_header items[HTTP_HEADERS];
    size_t count;
};
void answer_header(struct answer_headers *headers, const char *name, const char *value);
/* Those that every answer to this exchange has. */
void answer_common(struct http_server *http, struct httpd_exchange *x,
                   struct answer_headers *headers);
/* Takes body, which is of this type; NULL: none. */
void answer(struct http_server *http, struct httpd_exchange *x, int status, const char *type,
            struct buf *body, const struct answer_headers *more);
/* A JSON-RPC error; id may be empty. */
void http_error(struct buf *out, struct str id, int code, const char *text);
/* A JSON-RPC error without id. */
void answer_refusal(struct http_server *http, struct httpd_exchange *x, int status, int code,
                    const struct answer_headers *more, const char *fmt, ...) PRINTF_LIKE(6, 7);

#endif
