/* The structs of a request, shared by request.c and rules.c. */
#ifndef PERIGEE_HTTP_CLIENT_REQUEST_IMPL_H
#define PERIGEE_HTTP_CLIENT_REQUEST_IMPL_H

#include "base/list.h"
#include "http/client/exchange.h"
#include "http/client/request.h"

struct http_client {
    uv_loop_t *loop;
    const struct net_api *api; /* NULL until the first request */
    struct net *net;
    struct link calls;
};

/* The next step after an answer. */
enum http_fate {
    FATE_DELIVER,  /* it is the result */
    FATE_REDIRECT, /* go where it points */
    FATE_RETRY,    /* try again in wait_ms */
};

struct http_fetch {
    struct link link;
    struct http_client *client; /* not to be used once the request is over */
    uv_timer_t timer;           /* whatever is due next: deadline, idle limit, retry */
    struct http_events events;
    void *arg;

    char *method, *url, *ca_file, *socket;
    char *from;              /* the URL that redirected to `url`, or NULL */
    struct net_url where;    /* the parts of `url` */
    struct header_list sent; /* our headers */
    char *body;
    size_t body_len;
    struct http_request spec; /* numbers and flags only; its pointers are not ours */

    struct net_exchange *exchange;
    enum http_fate fate;                            /* for the answer that is coming in */
    uint64_t wait_ms, retry_at, started, active_at; /* ms of uv_hrtime(); retry_at 0: none */
    uint64_t held_at;
    size_t skipped;       /* bytes of an answer that is not wanted */
    struct error failure; /* why we stopped the exchange, or retry */

    struct http_result result;
    struct header_list got;
    bool over, freed, timer_open;
    bool paused, resumed; /* resumed: the exchange is to go on, from the timer */
};

#endif
