/* The module `curl` gives request.c one exchange, without rules.
 *
 * An exchange is one request and one answer; redirects, retries and limits are the caller's. The
 * module exports `const struct net_api net_api`. */
#ifndef PERIGEE_HTTP_CLIENT_EXCHANGE_H
#define PERIGEE_HTTP_CLIENT_EXCHANGE_H

#include <uv.h>

#include "base/buf.h"
#include "base/error.h"
#include "http/header_list.h"

struct net;          /* a libcurl multi handle on a loop */
struct net_exchange; /* a libcurl easy handle */

struct net_url {
    char *origin; /* "https://host:443", lower case */
    char *host;   /* for messages; with the port, unless it is the usual one */
};

/* Borrowed until `done` or cancel. */
struct net_request {
    const char *method, *url;
    const char *host; /* for messages */
    struct http_headers headers;
    struct str body;
    bool has_body;
    bool once; /* must not arrive twice */
    uint64_t connect_timeout_ms;
    const char *ca_file;
    const char *socket; /* a path; NULL: none */
};

struct net_result {
    bool ok;
    bool stopped; /* one of our events returned false */
    bool sent;    /* the request may have reached the server */
    struct error error;
    const char *redirect; /* where a 3xx answer points, absolute; NULL */
};

struct net_events {
    /* The final answer's head. False stops the exchange. */
    bool (*headers)(void *arg, int status, const struct http_headers *headers);
    bool (*data)(void *arg, const char *ptr, size_t len);
    void (*active)(void *arg); /* bytes went either way */
    void (*done)(void *arg, const struct net_result *result);
};

struct net_api {
    struct net *(*open)(uv_loop_t *loop, struct error *err);
    void (*close)(struct net *net); /* all exchanges were cancelled */
    /* Not from inside `headers`, `data` and `active`. */
    struct net_exchange *(*start)(struct net *net, const struct net_request *request,
                                  const struct net_events *events, void *arg, struct error *err);
    /* Also from inside an event. No event follows, `done` neither. */
    void (*cancel)(struct net_exchange *exchange);
    /* While paused at most one more `data` comes. Going on, which is not for inside
     * an event, may deliver at once. */
    void (*pause)(struct net_exchange *exchange, bool paused);
    /* "bad_url" unless http or https with a host. The caller frees both. */
    bool (*parse)(const char *url, struct net_url *parsed, struct error *err);
    /* Appends the ASCII form of a host's name (IDNA). False: it has none, or this libcurl cannot
     * tell. */
    bool (*ascii)(struct buf *out, struct str name);
};

#endif
