/* The inside of the module `curl`: libcurl's multi handle on a libuv loop. */
#ifndef PERIGEE_HTTP_CLIENT_CURL_MULTI_H
#define PERIGEE_HTTP_CLIENT_CURL_MULTI_H

#include <curl/curl.h>

#include "base/list.h"
#include "http/client/exchange.h"

enum { NET_HEAD_MAX = 256 << 10 }; /* bytes of all headers of one answer */

struct net {
    uv_loop_t *loop;
    uv_timer_t timer; /* the one libcurl asks for */
    CURLM *multi;
    struct link exchanges;
    unsigned inside; /* libcurl is on the stack and must not be entered again */
    bool closing;
};

struct net_exchange {
    struct link link;
    struct net *net;
    CURL *easy;
    struct curl_slist *headers;
    struct net_request request; /* its pointers are the caller's */
    struct net_events events;
    void *arg;

    struct header_list got; /* headers of the answer being read */
    size_t got_size;        /* bytes of its head so far */
    bool answered;          /* the final head was handed on */
    bool stopped;           /* an event returned false */
    bool cancelled;
    bool paused, held; /* held: libcurl keeps data that we refused */
    curl_off_t moved;  /* bytes both ways, to notice activity */
    char reason[CURL_ERROR_SIZE];
};

/* Builds the easy handle; NULL and err when libcurl refuses. */
struct net_exchange *exchange_new(struct net *net, const struct net_request *request,
                                  const struct net_events *events, void *arg, struct error *err);
void exchange_free(struct net_exchange *exchange);

/* Whether the exchange may already have reached the server when it failed so. */
bool net_was_sent(CURLcode code);

/* Fills err from what libcurl says of a failed exchange. */
void net_explain(struct net_exchange *exchange, CURLcode code, struct error *err);

bool net_ascii(struct buf *out, struct str name);
bool net_parse(const char *url, struct net_url *parsed, struct error *err);

#endif
