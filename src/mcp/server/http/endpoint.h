/* The server's Streamable HTTP transport (modelcontextprotocol.io, "Transports").
 *
 * One endpoint serves both eras. A request of 2026-07-28 is a session of its own that ends with
 * its answer; `initialize` opens one that lasts, named by Mcp-Session-Id. Beside the endpoint there
 * are /healthz and /metrics. Bytes are moved by the module `microhttpd` (http/server/httpd.h). */
#ifndef PERIGEE_MCP_SERVER_HTTP_ENDPOINT_H
#define PERIGEE_MCP_SERVER_HTTP_ENDPOINT_H

#include <uv.h>

#include "http/server/address.h"
#include "mcp/server/server.h"

struct http_server;

enum {
    HTTP_MESSAGE = 10 * 1024 * 1024, /* bytes of a request's body, at most */
    HTTP_HEAD = 16 * 1024,           /* bytes of its head */
    HTTP_CONNECTIONS = 4096,
    HTTP_SESSIONS = 1024,
    /* Streams of one session, open at once: more than the calls that a client may have in progress
     * (docs/http.md), so that one beyond them gets its result, `busy`, and a ping its answer. */
    HTTP_STREAMS = 1280,
    HTTP_SESSION_SECONDS = 3600, /* without a request or an open stream */
    HTTP_HEAD_SECONDS = 10,
    HTTP_IDLE_SECONDS = 75,
    HTTP_RATE = 1024, /* bytes a second */
    HTTP_DRAIN_MS = 5000,
    HTTP_LAST_MS = 500, /* ... and for the errors that end what did not end by itself */
};

/* Tokens of an authorization server (docs/http.md). */
struct http_oauth_options {
    const char *issuer; /* NULL: none; issuer_url_ok() */
    /* The audiences that tokens may have. The first is the address that clients know, and has to be
     * one; none: the addresses that are listened on. */
    const char *const *audiences;
    const char *const *scopes; /* that every request needs */
    size_t audience_count, scope_count;
    unsigned again_seconds; /* between two fetches of keys, at least; 0: ISSUER_AGAIN_MS */
};

/* Zero is a sensible default for every number. All is copied but the server. */
struct http_server_options {
    struct server *server; /* borrowed */
    const struct http_address *addresses;
    size_t address_count;
    const char *const *hosts, *const *origins; /* allowed besides those of this machine */
    size_t host_count, origin_count;
    const char *token;      /* NULL: none is asked for, unless there is a file */
    const char *token_file; /* read again when it changes; NULL: none */
    struct http_oauth_options oauth;
    const char *certificate, *key; /* PEM files; NULL: no TLS */
    size_t connections, sessions, streams, body_bytes, header_bytes, rate;
    unsigned session_seconds, head_seconds, idle_seconds;
};

struct http_server *http_server_new(uv_loop_t *loop, const struct http_server_options *options,
                                    struct error *err);

/* The URL of each address, in order, one a line. */
void http_server_urls(const struct http_server *http, struct buf *out);

/* Takes nothing new, ends the streams, gives the calls under way `ms` milliseconds (0:
 * HTTP_DRAIN_MS), then calls done(arg) from the loop. */
void http_server_drain(struct http_server *http, uint64_t ms, void (*done)(void *arg), void *arg);

/* Cancels what is under way. The loop must run once more. NULL is fine. */
void http_server_free(struct http_server *http);

#endif
