/* One message on its way: its request, and the request that takes up the stream of its answer
 * again. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_HTTP_POST_H
#define PERIGEE_MCP_CLIENT_WIRE_HTTP_POST_H

#include "http/sse.h"
#include "mcp/client/wire.h"
#include "mcp/client/wire/http_wire_impl.h"

enum post_state {
    POST_HELD,        /* behind the gate */
    POST_GOING,       /* an exchange is under way */
    POST_AUTHORIZING, /* until there is a token */
    POST_PAUSING,     /* its stream broke; it is taken up again soon */
};

/* One message on its way and the exchanges it takes; or the stream of the
 * server's own messages (`line` is NULL). */
struct post {
    struct link link; /* in mcp->posts */
    struct mcp_http *mcp;
    enum post_state state;
    char *line;
    size_t len;
    char *method; /* NULL: an answer of ours, or the stream */
    int64_t id;   /* the request's id; otherwise 0 */
    bool modern;
    struct header_list headers;
    struct http_fetch *http; /* GOING */
    struct timer *timer;     /* PAUSING */
    unsigned token_serial;
    bool refused_401, refused_403, renewed; /* each is tried once more, once */
    unsigned resumes;                       /* in a row that brought nothing */

    /* for the exchange under way, or the last one: */
    int status;
    char *challenge; /* WWW-Authenticate; NULL: none */
    bool streaming;
    struct buf body;
    struct sse sse;
    char *last_id; /* the last id of its stream; NULL: it cannot be taken up again */
    int64_t retry_ms;

    bool busy; /* an event of its stream is being told ... */
    bool gone; /* ... and it was freed meanwhile */
};

/* In mcp->posts, which owns it. The message is copied. */
struct post *post_new(struct mcp_http *mcp, const struct client_message *message);
struct post *post_listen(struct mcp_http *mcp); /* the stream of the server's own messages */

/* Sends it, or has it wait behind the gate. False: err, and the post is as it was. */
bool post_go(struct post *post, struct error *err);
void post_go_again(struct post *post); /* tells the client if it cannot */

void post_fail(struct post *post, const struct error *why); /* tells the client, and frees it */
void post_refuse(struct post *post);                        /* the same, by its status */
void post_free(struct post *post);                          /* tells the client nothing */

#endif
