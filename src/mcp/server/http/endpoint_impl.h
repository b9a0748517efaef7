/* The structs that the files of the HTTP transport share. */
#ifndef PERIGEE_MCP_SERVER_HTTP_ENDPOINT_IMPL_H
#define PERIGEE_MCP_SERVER_HTTP_ENDPOINT_IMPL_H

#include "base/list.h"
#include "files/stamp.h"
#include "http/server/httpd.h"
#include "mcp/message.h"
#include "mcp/server/http/endpoint.h"
#include "mcp/versions.h"

enum { HTTP_BUCKETS = 256 }; /* size of the table of sessions */

/* May a request go on? */
enum admission {
    ADMIT_YES,
    ADMIT_ANSWERED, /* no, and it has its answer */
    ADMIT_WAIT,     /* not before the keys of the authorization server are there */
};

/* The argument of its exchanges. */
struct http_listener {
    struct http_server *http;
    struct http_address address;
    struct httpd *httpd;
};

/* The token that requests have to show. */
struct http_token {
    char *text;         /* NULL: none */
    char *file;         /* NULL: none */
    uint64_t looked;    /* ms: when */
    struct stamp stamp; /* the file's stamp then */
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
    uv_idle_t reaper;                       /* frees what may not be freed where it ended */
    void (*reap)(struct http_server *http); /* has it free `dead` in the next turn */
    struct link dead;                       /* struct http_stream: the reaper's */
    struct link streams;                    /* struct http_stream: all that have a reader */
    struct link sessions; /* struct http_session; the one used longest ago first */
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

#endif
