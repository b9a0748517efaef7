/* The structs of the module `microhttpd`. */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_HTTPD_IMPL_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_HTTPD_IMPL_H

#include <microhttpd.h>

#include "base/list.h"
#include "http/server/httpd.h"

/* A connection waits for one of these, and is in the list of that name, longest first. */
enum stage { STAGE_HEAD, STAGE_BODY, STAGE_ANSWER, STAGES };

/* libmicrohttpd's limit of connections is over ours, so that we choose who goes. */
enum { SPARE_CONNECTIONS = 8 };

struct httpd {
    uv_loop_t *loop;
    struct httpd_options options;
    struct MHD_Daemon *mhd;
    struct poller *poller;
    struct arrivals *arrivals; /* connections that libmicrohttpd does not have yet */
    uv_timer_t tick;           /* looks for slow connections */
    struct link connections[STAGES];
    struct link exchanges;
    struct link unwatched; /* exchanges that were suspended in this turn */
    struct httpd_counts counts;
    bool progress; /* a connection came, moved a byte or began to wait for something else */
    bool stopped, closing;
};

enum { POOL_BYTES = 8 * 1024 /* libmicrohttpd's memory of a connection, beside its head */ };

/* A connection that libmicrohttpd has. */
struct connection {
    struct link link; /* in httpd->connections[stage] */
    struct httpd *httpd;
    struct MHD_Connection *mhd;
    struct exchange *exchange;  /* under way, or NULL */
    struct hangup_watch *watch; /* for its leaving, while libmicrohttpd looks away; or NULL */
    int fd;
    enum stage stage;
    bool served;    /* had a request: it may idle */
    bool cut;       /* shut down by us */
    uint64_t since; /* ms: when the stage began */
    uint64_t moved; /* bytes in this stage */
};

struct exchange {
    struct httpd_exchange x;
    struct link link;      /* in httpd->exchanges */
    struct link unwatched; /* in httpd->unwatched */
    struct connection *connection;
    struct buf body;
    const char
        *chunks;   /* where a body in chunks begins in memory; NULL: not told, or it has none */
    bool started;  /* `head` was called */
    bool complete; /* the whole request is in */
    bool too_large;
    bool suspended; /* libmicrohttpd looks away */
    bool over;      /* `over` was called */
    bool dead;      /* the connection has to end */
    int status;     /* 0: no answer yet */
    struct MHD_Response *response;
    bool queued;

    struct buf out; /* a stream, or a whole answer that is handed out in pieces */
    size_t out_at;
    bool streaming, ended;
};

#endif
