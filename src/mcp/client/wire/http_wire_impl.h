/* What the files of the HTTP client share. Nothing else includes this. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_HTTP_WIRE_IMPL_H
#define PERIGEE_MCP_CLIENT_WIRE_HTTP_WIRE_IMPL_H

#include "base/buf.h"
#include "base/list.h"
#include "base/timer.h"
#include "http/sse.h"
#include "mcp/client/wire.h"
#include "mcp/client/wire/http_wire.h"

enum {
    HTTP_RETRY_MS = 1000, /* before a stream is taken up again, when the server does not say */
    HTTP_RETRY_MAX_MS = 30000,
    HTTP_RESUMES_MAX = 5, /* in a row that brought nothing */
};

struct mcp_http {
    struct client *client;
    struct http_client *http; /* ours alone, so that it may outlive the VM */
    uv_loop_t *loop;
    struct timer *timer; /* start or end of the session, from the loop */
    char *url, *host, *ca_file, *socket;
    struct header_list headers;
    uint64_t connect_timeout_ms, close_ms;
    size_t max_message;

    void (*authorize)(void *arg, const struct mcp_challenge *challenge);
    void *arg;
    char *token;
    unsigned token_serial; /* counts changes of it */
    bool authorizing;

    char *session;               /* Mcp-Session-Id; NULL: none */
    struct link posts;           /* struct post, oldest first */
    struct http_fetch *farewell; /* DELETE */
    bool gated;                  /* initialize is under way: the others wait */
    bool closing;
    unsigned busy; /* functions of ours that are further up the stack */
    bool freed;
};

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
    int64_t id;   /* of a request; else 0 */
    bool modern;
    struct header_list headers;
    struct http_fetch *http; /* GOING */
    struct timer *timer;     /* PAUSING */
    unsigned token_serial;
    bool refused_401, refused_403, renewed; /* each is tried once more, once */
    unsigned resumes;                       /* in a row that brought nothing */

    /* of the exchange under way, or the last */
    int status;
    char *challenge; /* WWW-Authenticate; NULL: none */
    bool streaming;
    struct buf body;
    struct sse sse;
    char *last_id; /* of its stream; NULL: it cannot be taken up again */
    int64_t retry_ms;

    bool busy; /* an event of its stream is being told ... */
    bool gone; /* ... and it was freed meanwhile */
};

/* http_wire.c */
void http_enter(struct mcp_http *mcp);
bool http_leave(struct mcp_http *mcp); /* false: it was freed, and is gone now */
void http_keep_session(struct mcp_http *mcp, const char *id);
void http_forget_session(struct mcp_http *mcp);
void http_challenge(struct post *post);
void http_initialized(struct mcp_http *mcp, bool taken); /* the gate opens */

/* http_post.c */
struct post *post_new(struct mcp_http *mcp, const struct client_message *message);
struct post *post_listen(struct mcp_http *mcp); /* the stream of the server's own messages */
bool post_go(struct post *post, struct error *err);
void post_go_again(struct post *post);                      /* tells the client if it cannot */
void post_fail(struct post *post, const struct error *why); /* and frees it */
void post_refuse(struct post *post);                        /* by its status; frees it */
void post_free(struct post *post);

/* http_answer.c */
extern const struct http_events post_events;
void post_explain(const struct post *post, struct error *err);

#endif
