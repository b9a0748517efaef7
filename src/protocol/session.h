/* What the files of the server side share. */
#ifndef PERIGEE_PROTOCOL_SESSION_H
#define PERIGEE_PROTOCOL_SESSION_H

#include "base/list.h"
#include "protocol/message.h"
#include "protocol/server.h"
#include "protocol/versions.h"
#include "registry/call.h"

#define MCP_META_CAPS   "io.modelcontextprotocol/clientCapabilities"
#define MCP_META_LEVEL  "io.modelcontextprotocol/logLevel"
#define MCP_META_LISTEN "io.modelcontextprotocol/subscriptionId"
#define MCP_META_SERVER "io.modelcontextprotocol/serverInfo"

struct server {
    struct registry *registry;
    bool lean, whole;
    size_t page;
    uint64_t timeout_ms;
    struct link sessions;
};

struct batch;

struct session {
    struct link link; /* in server->sessions */
    struct server *server;
    struct sink *sink; /* for what belongs to no request */
    struct session_events events;
    const char *version; /* agreed on by `initialize`; NULL: not yet */
    bool modern;         /* opened by a stateless request */
    bool greeted;
    bool shut;           /* `shutdown` was answered */
    int log_level;       /* index into the levels of logging.c */
    struct link calls;   /* struct pending */
    struct link listens; /* struct listen */
};

/* A request being answered. Lives on the stack, or inside a pending call. */
struct request {
    struct session *session;
    struct sink *sink;   /* where its reply goes, and what is said while it is worked on */
    struct batch *batch; /* its reply goes into this array; NULL: on its own */
    struct str id;
    const char *method;
    const cJSON *params;
    struct str source; /* the message's text */
    bool modern;
    bool taken; /* a method has it: an error is its own, and no refusal of the request */
};

/* A tool call or prompt rendering under way. */
struct pending {
    struct link link;
    struct request request; /* id owned, sink held, method and params not kept */
    struct call *call;
    char *progress_token; /* JSON text, owned; NULL: not wanted */
    int log_level;        /* modern: as the request set it, or none */
    bool cancelled;       /* no reply is owed */
};

/* --- reply.c: one message out ------------------------------------------------ */

/* Opens {"jsonrpc":"2.0","id":ID,"result":{ and returns the buffer for the members. */
struct buf *reply_begin(const struct request *request);
/* Adds what the era wants (resultType, serverInfo) and closes. `empty`: no member
 * was written. `meta`: members of the result's _meta, or NULL. */
void reply_end(const struct request *request, struct buf *out, bool empty, const struct buf *meta);
/* `data`: JSON text of the error's data, or NULL. */
void reply_error(const struct request *request, int code, const char *data, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* A reply without id: the message could not be understood. */
void reply_orphan(struct sink *sink, struct batch *batch, int code, const char *text);

/* A notification: opens {"jsonrpc":"2.0","method":METHOD,"params":{ */
struct buf *notify_begin(struct sink *sink, const char *method);
void notify_end(struct sink *sink, struct buf *out);

void server_info(struct buf *out); /* {"name":...,"version":...} */

/* --- batch.c: replies collected into one array (2025-03-26) ------------------- */

struct batch *batch_new(struct sink *sink);
struct buf *batch_begin(struct batch *batch);
void batch_end(struct batch *batch);
void batch_hold(struct batch *batch); /* one more reply is owed */
void batch_drop(struct batch *batch); /* one is not any more; sends and frees after the last */

/* --- methods ------------------------------------------------------------------- */

typedef void method_fn(struct request *request);

method_fn method_initialize, method_discover, method_listen;
method_fn method_tools_list, method_tools_call;
method_fn method_prompts_list, method_prompts_get;
method_fn method_set_level;

void session_cancel(struct session *session, const struct message *message);
void session_end_calls(struct session *session);
void listens_changed(struct session *session, unsigned what);
void listens_free(struct session *session);
bool listen_cancel(struct session *session, struct str id);

/* --- logging.c ------------------------------------------------------------------- */

enum { LOG_LEVEL_INFO = 1, LOG_LEVEL_NONE = 99 };
int log_level_index(const char *name); /* -1: unknown */
void send_log(struct sink *sink, const char *level, const char *logger, lua_State *L, int data);

/* --- pages.c: cursors -------------------------------------------------------------- */

/* Where a page starts: the first of `count` sorted keys after the cursor's. False: -32602 was sent.
 */
struct page {
    size_t from, to;
    char *next; /* the cursor of the next page, owned; NULL: this is the last */
};
bool page_read(const struct request *request, struct entry *const *entries, size_t count,
               struct page *page);
void page_end(struct page *page, struct buf *out); /* writes nextCursor, frees */

#endif
