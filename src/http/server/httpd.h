/* The module `microhttpd`: an HTTP/1.1 server on the loop (libmicrohttpd), without rules.
 *
 * A listener takes connections from one listening socket. An exchange is one request and its
 * answer: a whole one, or a stream that grows. The caller decides about requests and who may send
 * them; the module guards itself against crowds, slow clients and sizes. It starts no threads, and
 * everything here is for the main thread. It exports `const struct httpd_api httpd_api`. */
#ifndef PERIGEE_HTTP_SERVER_HTTPD_H
#define PERIGEE_HTTP_SERVER_HTTPD_H

#include <uv.h>

#include "base/buf.h"
#include "http/header_list.h"

struct httpd;

/* The first part of a module's own struct. Names and values live as long as it. */
struct httpd_exchange {
    const char *method, *path; /* the path without its query, unescaped */
    size_t head_bytes;         /* length of its first line and its headers */
    const char *fault;         /* the head's fault, a sentence without its dot; or NULL */
    int fault_status;          /* to answer it with */
    struct str body;           /* all of it, in `ready` */
    void *user;                /* the caller's, NULL at first */
    void *arg;                 /* `arg` of the listener's options */
};

/* Why a body is not there: to be answered in `ready`. */
enum httpd_body { HTTPD_BODY_WHOLE, HTTPD_BODY_TOO_LARGE };

struct httpd_events {
    /* The head is in. Answering now leaves the body unread, and closes the connection after. */
    void (*head)(struct httpd_exchange *x);
    /* The whole request is in: answer now or later. Not called when `head` answered. */
    void (*ready)(struct httpd_exchange *x, enum httpd_body body);
    /* Last, once for each `head`: `sent` unless the client left before it had the whole answer.
     * x is not valid any more. */
    void (*over)(struct httpd_exchange *x, bool sent);
    /* Around all requests that were read in one piece of work; or NULL. */
    void (*turn)(bool begins);
};

struct httpd_options {
    int fd;                        /* a listening socket; taken, also on failure */
    bool own_peers;                /* a Unix socket: only this user (and root) may connect */
    const char *certificate, *key; /* PEM: TLS; NULL: none */
    size_t connections;            /* at once; beyond, who waits longest without a request goes */
    size_t header_bytes;           /* the head of one request */
    size_t body_bytes;
    unsigned head_seconds; /* for a connection's first head, and one that was begun; and before a
                              rate counts */
    unsigned idle_seconds; /* between two requests, and for a reader or writer that stands still */
    size_t rate;           /* bytes a second below which a body or an answer is given up */
    struct httpd_events events;
    void *arg;
};

/* For /metrics. */
struct httpd_counts {
    size_t connections; /* now */
    uint64_t accepted;  /* ever */
    uint64_t refused;   /* at the limit, or another user's */
    uint64_t dropped;   /* too slow, or to make room */
};

struct httpd_api {
    struct httpd *(*open)(uv_loop_t *loop, const struct httpd_options *options, struct error *err);
    void (*stop)(struct httpd *httpd); /* takes no new connections; the socket is closed */
    void (*close)(
        struct httpd *httpd); /* ends every exchange with `over`; the loop runs once more */
    struct httpd_counts (*counts)(const struct httpd *httpd);

    /* The value of a request header, or NULL. `again`: NULL, or set to whether it came twice. */
    const char *(*header)(struct httpd_exchange *x, const char *name, bool *again);

    /* Appends each request header: its name in lower case and its value, each with a NUL. */
    void (*headers)(struct httpd_exchange *x, struct buf *out);

    /* Appends the query, without its "?", written again: what need not be encoded is not. */
    void (*query)(struct httpd_exchange *x, struct buf *out);

    /* The whole answer. Takes what body holds; NULL: none. */
    void (*answer)(struct httpd_exchange *x, int status, const struct http_headers *headers,
                   struct buf *body);

    /* The answer's head, then as many bytes as there are, then the end. */
    void (*stream)(struct httpd_exchange *x, int status, const struct http_headers *headers);
    void (*write)(struct httpd_exchange *x, const char *ptr, size_t len);
    size_t (*unsent)(const struct httpd_exchange *x); /* bytes of a stream not yet taken */
    void (*end)(struct httpd_exchange *x);

    void (*drop)(struct httpd_exchange *x); /* cuts the connection */
};

#endif
