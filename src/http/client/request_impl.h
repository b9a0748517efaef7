/* The inside of a request, shared by the http*.c files. */
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

/* Headers we own. */
struct http_bag {
    struct http_header *items;
    size_t count;
};

enum http_fate {
    HTTP_DELIVER,  /* this answer is the result */
    HTTP_REDIRECT, /* go where it points */
    HTTP_RETRY,    /* try again in wait_ms */
};

struct http {
    struct link link;
    struct http_client *client; /* not to be used once the request is over */
    uv_timer_t timer;           /* whatever is due next: deadline, idle limit, retry */
    struct http_events events;
    void *arg;

    char *method, *url, *ca_file, *socket;
    struct net_url where; /* of url */
    struct http_bag sent; /* our headers */
    char *body;
    size_t body_len;
    struct http_request spec; /* numbers and flags only; its pointers are not ours */

    struct net_exchange *exchange;
    enum http_fate fate;                            /* of the answer that is coming in */
    uint64_t wait_ms, retry_at, started, active_at; /* ms of uv_hrtime(); retry_at 0: none */
    size_t skipped;                                 /* bytes of an answer nobody wants */
    struct error failure;                           /* why we stopped the exchange, or retry */

    struct http_result result;
    struct http_bag got;
    bool over, freed, timer_open;
    bool paused, resumed; /* resumed: the exchange is to go on, from the timer */
};

uint64_t http_now_ms(void);

void http_bag_add(struct http_bag *bag, const char *name, const char *value);
void http_bag_free(struct http_bag *bag);
bool http_check_headers(const struct http_headers *headers, struct error *err);
bool http_check_method(const char *method, struct error *err);

/* Turns the request into the one the redirect asks for: method, body, headers,
 * url. False with "bad_url". */
bool http_follow(struct http *http, const char *url, struct error *err);

/* Decides on an answer by its head and sets fate and wait_ms. False: the
 * request fails with err. */
bool http_judge(struct http *http, int status, const struct http_headers *headers,
                struct error *err);

/* True, with wait_ms set, when the policy and the time left allow another try. */
bool http_may_retry(struct http *http, const uint64_t *asked_ms);

#endif
