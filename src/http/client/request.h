/* HTTP requests on the loop: redirects, limits, deadlines and retries.
 *
 * What moves bytes is the module `curl` (libcurl), opened with the first
 * request; the rules here are the same whatever carries them. Main thread
 * only; events come from the loop, never from inside the function called.
 * Texts of errors name the host, never the rest of a URL nor a header's
 * value, since both carry keys. */
#ifndef PERIGEE_HTTP_CLIENT_REQUEST_H
#define PERIGEE_HTTP_CLIENT_REQUEST_H

#include <uv.h>

#include "base/buf.h"
#include "base/error.h"
#include "http/header_list.h"
#include "http/retry.h"

struct http_client; /* connections kept for reuse; one for each loop */
struct http_fetch;  /* one request and what comes of it */

enum {
    HTTP_CONNECT_MS = 10000,      /* when connect_timeout_ms is 0 */
    HTTP_MAX_RESPONSE = 64 << 20, /* when max_response is 0 */
};

/* Borrowed until http_fetch_start() returns. Zero is a sensible default for every
 * field but url. */
struct http_request {
    const char *method;          /* NULL: GET, or POST when there is a body */
    const char *url;             /* http or https */
    struct http_headers headers; /* sent as they are; a name may occur twice */
    struct str body;
    uint64_t connect_timeout_ms; /* name, connection and TLS */
    uint64_t idle_timeout_ms;    /* 0: none; no byte either way for so long */
    uint64_t total_timeout_ms;   /* 0: none; retries and redirects included */
    unsigned max_redirects;      /* 0: a 3xx answer is the answer */
    bool same_origin;            /* a redirect elsewhere, or one that would change the method,
                                  * fails with "redirected" */
    bool hold_elsewhere;         /* a redirect to a host that is another one to a policy waits for
                                  * http_fetch_go_on(); the time until then does not count */
    size_t max_response;         /* decoded bytes of the body; SIZE_MAX: no limit */
    bool truncate;               /* keep max_response bytes instead of failing */
    const char *ca_file;       /* NULL: SSL_CERT_FILE's, or the system's. TLS is always verified */
    const char *socket;        /* path of a Unix socket to connect to instead; NULL: none */
    struct retry_policy retry; /* a Retry-After longer than max_ms ends the tries */
    /* Methods that are not idempotent, POST above all, may arrive twice: they are
     * also tried again, and use connections that are kept open. */
    bool retry_unsafe;
};

struct http_result {
    bool held; /* it is not over, but waits at a redirect; nothing else is set */
    bool ok;   /* an answer came, whatever its status, and came whole (or truncated) */
    /* When not ok: "dns", "connection_refused", "connection_failed", "tls",
     * "timeout", "too_large", "too_many_redirects", "bad_url" (after a
     * redirect), "redirected", "cut_off" (it ended early), "bad_response". */
    struct error error;
    int status;                  /* 0 when no answer came */
    struct http_headers headers; /* those of the last answer; names as the server wrote them */
    struct buf body;             /* collected if there is no `data` event; buf_take() may have it */
    bool truncated;
    const char *url; /* the URL of the last answer */
    unsigned attempts, redirects;
    uint64_t bytes; /* length of the decoded body */
    uint64_t elapsed_ms;
};

/* Any may be NULL; all but `done` come only for the answer that will be
 * reported: those that are redirects or will be retried stay inside. */
struct http_events {
    void (*headers)(void *arg, int status, const struct http_headers *headers);
    void (*data)(void *arg, const char *ptr, size_t len);
    /* Attempt number `failures` failed; the next one comes in wait_ms. For logs. */
    void (*retry)(void *arg, unsigned failures, uint64_t wait_ms, const struct error *why);
    /* Last, exactly once, unless freed before; and each time that it is held. The result lives for
     * the call. */
    void (*done)(void *arg, struct http_result *result);
};

/* Appends the ASCII form of a host's name that has letters of others (IDNA). False: it has none.
 * libcurl is loaded for it. */
bool http_host_ascii(struct buf *out, struct str name);

struct http_client *http_client_new(uv_loop_t *loop);

/* Ends what still runs, without events; those requests are still to be freed.
 * Accepts NULL. Not from inside an event. */
void http_client_free(struct http_client *client);

/* NULL and err: "bad_url", "bad_argument" (method, header), or the module
 * cannot be opened. The caller owns the request; `events` is copied, `arg`
 * borrowed until http_fetch_free(). */
struct http_fetch *http_fetch_start(struct http_client *client, const struct http_request *request,
                                    const struct http_events *events, void *arg, struct error *err);

/* While paused, no more than one `data` comes; the server is held back by its
 * connection. Being paused is not being idle; the total time still runs. Both
 * are for any time, also from an event. */
void http_fetch_pause(struct http_fetch *http);
void http_fetch_resume(struct http_fetch *http);

/* The URL, method and headers that are sent now, or once it goes on; borrowed from it. `from`: the
 * URL that redirected it there, or NULL. */
struct http_request http_fetch_sent(const struct http_fetch *http, const char **from);

/* Lets it follow the redirect at which it is held. */
void http_fetch_go_on(struct http_fetch *http);

/* At any time, also from an event; no event follows. Accepts NULL. */
void http_fetch_free(struct http_fetch *http);

#endif
