/* A listener for requests that other programs send: "tell me when it happened".
 *
 * What is malformed, too large, for another host or path, from a page, or without the secret is
 * answered here, and nobody sees it. The others wait in a queue, which is bounded, until they are
 * taken. Each is answered by who took it; otherwise it gets 503 (the queue is full, or the listener
 * is closed), 504 (no answer in time) or 500 (it was given up). Main thread only. */
#ifndef PERIGEE_HTTP_SERVER_WEBHOOK_H
#define PERIGEE_HTTP_SERVER_WEBHOOK_H

#include <uv.h>

#include "base/buf.h"
#include "http/header_list.h"

struct webhook;
struct webhook_request;

enum { WEBHOOK_HEAD = 16 * 1024, WEBHOOK_CONNECTIONS = 64 };

/* All is copied. */
struct webhook_options {
    const char *address; /* an IP address, "localhost" or "*"; NULL: 127.0.0.1 */
    unsigned port;       /* 0: any that is free */
    const char *path;    /* NULL: every path */
    const char *const *methods, *const *hosts, *const *origins; /* hosts and origins: besides those
                                                                   of this machine */
    size_t method_count, host_count, origin_count;
    struct str secret;            /* empty: none is asked for */
    const char *signature_header; /* has the HMAC-SHA-256 of a body by the secret in hexadecimal
                                     digits, after "sha256=" or nothing */
    size_t body_bytes;
    size_t queue;               /* requests that wait to be taken */
    uint64_t answer_ms;         /* from when a request is whole */
    void (*arrived)(void *arg); /* from the loop: there is one to be taken */
    void *arg;
};

/* NULL: an error of http_listen(), "bad_address", or of module_symbol(). */
struct webhook *webhook_open(uv_loop_t *loop, const struct webhook_options *options,
                             struct error *err);

unsigned webhook_port(const struct webhook *hook);

/* Does one wait to be taken? */
bool webhook_has_request(const struct webhook *hook);

/* The request that waits longest, for the caller to free; NULL: there is none. */
struct webhook_request *webhook_take(struct webhook *hook);

/* The parts of a request. Borrowed until the loop turns. The headers are names and values, a NUL
 * behind each; they and the query are appended. */
const char *webhook_method(const struct webhook_request *request);
const char *webhook_path(const struct webhook_request *request); /* decoded */
struct str webhook_body(const struct webhook_request *request);
void webhook_head(const struct webhook_request *request, struct buf *headers, struct buf *query);

/* Takes what body holds. False: nobody waits for it any more, or it was answered. */
bool webhook_answer(struct webhook_request *request, int status, const struct http_headers *headers,
                    struct buf *body);

/* One without an answer is answered 500. NULL is fine. */
void webhook_request_free(struct webhook_request *request);

/* Listens no more. Those without an answer get 503; answers that are on their way still go out. The
 * loop must run on. NULL is fine. */
void webhook_close(struct webhook *hook);

#endif
