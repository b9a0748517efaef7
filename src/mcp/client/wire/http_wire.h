/* The MCP client and a server it reaches over Streamable HTTP.
 *
 * Each request is a POST; its answer is JSON, or a stream of messages that ends
 * with it. With servers of 2025-11-25 and older there may be a session, a stream
 * of their own messages (GET), and a stream that broke is taken up again where
 * it ended (Last-Event-ID). Main thread only. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_HTTP_WIRE_H
#define PERIGEE_MCP_CLIENT_WIRE_HTTP_WIRE_H

#include "http/client/request.h"
#include "mcp/client/client.h"

struct mcp_http;

/* An answer 401 or 403 that can be helped by another token. Borrowed for the call. */
struct mcp_challenge {
    int status;
    const char *header; /* WWW-Authenticate; "": none */
    const char *token;  /* that was refused; NULL: none was sent */
};

/* Zero is the sensible default for every field but url. Copied. */
struct mcp_http_spec {
    const char *url;
    struct http_headers headers; /* sent with each request, but not to another origin */
    const char *token;           /* the token of "Authorization: Bearer"; NULL: none */
    const char *ca_file;         /* NULL: the system's certificates */
    uint64_t connect_timeout_ms; /* for connecting; 0: HTTP_CONNECT_MS */
    uint64_t close_ms;           /* for the answer to DELETE; 0: 2000 */

    /* Gets a token: mcp_http_authorized() is to be called, now or later, once. What
     * needs it waits meanwhile and is sent once more. NULL: there is no way. */
    void (*authorize)(void *arg, const struct mcp_challenge *challenge);
};

/* events.ready or events.closed follows. NULL: "bad_url", "bad_argument" (a header). Owned by
 * the caller. `arg` is borrowed until mcp_http_free(). */
struct mcp_http *mcp_http_start(uv_loop_t *loop, const struct mcp_http_spec *spec,
                                const struct client_options *options,
                                const struct client_events *events, void *arg, struct error *err);

/* For requests, and for client_close(): DELETE if there is a session, then events.closed. */
struct client *mcp_http_session(const struct mcp_http *mcp);

/* Ends what spec.authorize() began. token: copied; NULL: there is none, for this reason. With the
 * code "no_login" (no server issues tokens) requests fail with what the server said. */
void mcp_http_authorized(struct mcp_http *mcp, const char *token, const struct error *why);

/* At any time, in any callback. Accepts NULL. No event or callback follows. The loop
 * has to turn once more. */
void mcp_http_free(struct mcp_http *mcp);

#endif
