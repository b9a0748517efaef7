/* What the files of the server side share. */
#ifndef PERIGEE_MCP_SERVER_SESSION_H
#define PERIGEE_MCP_SERVER_SESSION_H

#include "base/list.h"
#include "base/timer.h"
#include "mcp/message.h"
#include "mcp/server/server.h"
#include "mcp/versions.h"
#include "registry/call/asking.h"
#include "registry/call/call.h"
#include "registry/uri_template.h"

struct server {
    struct registry *registry;
    bool lean, whole;
    size_t page;
    uint64_t timeout_ms;
    size_t cap; /* bytes of a result's text; 0: OUTCOME_BYTES */
    struct link sessions;
    struct link parked; /* struct pending that wait for their client's answers; the oldest first */
    size_t parked_count;
    struct link
        watched; /* struct watched_resource: subscribed resources that look out for changes */
    unsigned char key[32]; /* signs what clients bring back */
    uint64_t questions;    /* requests sent to clients */
    struct link tasks;     /* struct mcp_task: calls that go on by themselves */
    uint64_t task_serial;
    uint64_t task_ttl_ms; /* 0: mcp_task.h has the numbers */
};

struct batch;

struct session {
    struct link link; /* in server->sessions */
    struct server *server;
    struct sink *sink; /* for what belongs to no request */
    struct session_events events;
    const char *version; /* agreed on by `initialize`; NULL: not yet */
    char *who;           /* session_identify(); owned; or NULL */
    bool modern;         /* opened by a stateless request */
    bool stateless;      /* made for one: every request in it has to have its envelope */
    bool greeted;
    bool shut;                 /* `shutdown` was answered */
    bool closing;              /* nothing is sent any more */
    int log_level;             /* index into the levels of logging.c */
    unsigned abilities;        /* of the client, before 2026-07-28: see abilities_read() */
    struct link calls;         /* struct pending */
    struct link listens;       /* struct listen */
    struct link subscriptions; /* struct subscription, before 2026-07-28 */
    size_t subscription_count;
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

/* What came with a request that was sent once more, after its first answer asked for input. */
struct input_round {
    char *source; /* the request's text; owned */
    size_t source_len;
    char *who;               /* made the request, or NULL; owned */
    char *digest;            /* of what it asks for, as hex, once it is needed; owned */
    struct json_doc *state;  /* what was signed, with the answers of earlier rounds; or NULL */
    struct json_doc *inputs; /* inputResponses; or NULL */
};

/* Why the protocol refuses a request while its Lua code may still think about it. */
struct refusal {
    char *text; /* owned; NULL: none */
    const char *code;
    enum ask_kind kind;
};

struct mcp_task;

/* A question that is on its way to the client. */
struct sent_question {
    struct link link; /* in pending->sent */
    char *id;         /* of the request, without its quotes; or its name in inputRequests; owned */
    struct question *question;
    const void *through; /* of a task: the struct mcp_waiter it was sent to; NULL: not sent */
};

/* A request that runs Lua code. */
struct pending {
    struct link link; /* in session->calls, or in server->parked */
    struct server *server;
    struct request request; /* id owned, sink held, method and params not kept */
    struct call *call;
    char *progress_token; /* JSON text, owned; NULL: not wanted */
    int log_level;        /* modern: as the request set it, or none */
    unsigned abilities;   /* of the client */
    bool cancelled;       /* no reply is owed */
    bool parked;          /* `request` is none: the client was asked for input */

    struct asking *asking; /* the questions that are open; NULL: none */
    struct link sent;      /* struct sent_question: requests to the client that are on their way */
    struct timer *timer;   /* until the questions, or the parked call, are given up */
    unsigned asked;        /* questions so far, for their names */
    struct input_round round;
    struct refusal refusal;
    struct buf answers; /* members of an object: the answers so far */
    char *subject;      /* resources/read: the URI; owned */
    char run[33];       /* names it in what the client brings back; empty until it is parked */

    struct mcp_task *as_task;  /* it was answered with this, and goes on; `request` is none */
    const struct entry *entry; /* borrowed from the call */
    bool may_be_task;          /* it becomes one when it takes long */
    struct timer *grace;       /* until then */
    char *said;                /* with its progress last, for the task that it may become; owned */
};

/* --- reply.c: one message out ------------------------------------------------ */

/* Opens {"jsonrpc":"2.0","id":ID,"result":{ and returns the buffer for the members. */
struct buf *reply_begin(const struct request *request);
/* Adds what the era wants (resultType, serverInfo) and closes. `empty`: no member
 * was written. `meta`: members of the result's _meta, or NULL. */
void reply_end(const struct request *request, struct buf *out, bool empty, const struct buf *meta);
/* The same for a result of this type: "complete", "input_required". */
void reply_end_as(const struct request *request, struct buf *out, const char *type, bool empty,
                  const struct buf *meta);
/* `data`: JSON text of the error's data, or NULL. */
void reply_error(const struct request *request, int code, const char *data, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* A reply without id: the message could not be understood. */
void reply_orphan(struct sink *sink, struct batch *batch, int code, const char *text);

/* A notification: opens {"jsonrpc":"2.0","method":METHOD,"params":{ */
struct buf *notify_begin(struct sink *sink, const char *method);
void notify_end(struct sink *sink, struct buf *out);

/* A request to the client: opens {"jsonrpc":"2.0","id":"ID","method":METHOD,"params": */
struct buf *ask_begin(struct sink *sink, const char *id, const char *method);
void ask_end(struct sink *sink, struct buf *out);

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
method_fn method_tasks_get, method_tasks_result, method_tasks_list, method_tasks_cancel;
method_fn method_tasks_update;
method_fn method_prompts_list, method_prompts_get;
method_fn method_resources_list, method_templates_list, method_resources_read;
method_fn method_subscribe, method_unsubscribe;
method_fn method_complete;
method_fn method_set_level;

void session_cancel(struct session *session, const struct message *message);
void session_end_calls(struct session *session);

/* --- pending.c -------------------------------------------------------------------- */

/* How a request becomes a call. */
struct start {
    struct input_round *round; /* taken */
    const char *subject;       /* a text to keep, or NULL */
    struct mcp_task *task;     /* it was answered with this already; or NULL */
    bool may_be_task;          /* it becomes one when it takes long */
};

/* Starts the call; what the spec says of the client is filled in, and `done` gets the struct
 * pending, which it has to pending_free(). */
void pending_start(const struct request *request, const struct start *start,
                   struct call_spec *spec);
void pending_free(struct pending *pending);
void pending_cancel(struct pending *pending); /* usually frees it */

/* For `done`: is no result wanted? Then an error was sent, or nothing has to be. */
bool pending_answer_refusal(struct pending *pending, const struct outcome *outcome);

/* Did the call end because the protocol refuses it? Then its JSON-RPC error is this. */
bool pending_refused(const struct pending *pending, const struct outcome *outcome);
void pending_write_refusal(const struct pending *pending, struct buf *error);

void pending_attach(struct pending *pending, const struct request *request);
void pending_detach(struct pending *pending); /* it is parked */
void pending_let_go(struct pending *pending); /* its request was answered */

/* --- questions.c: questions to the client ------------------------------------------------ */

bool pending_ask(void *arg, struct asking *asking, struct error *err);
void pending_unask(void *arg, struct asking *asking);
bool pending_can(void *arg, int kind);
void questions_drop(struct pending *pending, bool tell);
void questions_finish(struct pending *pending); /* each has its answer, or there will be none */
/* Takes `id`; NULL: a fresh one. */
struct sent_question *sent_question_new(struct pending *pending, struct question *question,
                                        char *id);
void sent_question_send(struct pending *pending, struct sent_question *sent, struct sink *sink);
void sent_question_free(struct sent_question *sent);
bool session_answer(struct session *session, const struct message *message);

/* Bits (1 << enum ask_kind) of what a client's capabilities let it be asked; and whether it takes
 * tasks (2026-07-28). */
enum { ABILITY_TASKS = 1u << 30 };
unsigned abilities_read(const cJSON *capabilities);
const char *abilities_required(enum ask_kind kind); /* data of an error, JSON text */

/* --- input_required.c: input_required and the request that follows it
 * ------------------------------ */

/* Looks at inputResponses and requestState. False: there is nothing to start, since it went on
 * where it was, or an error was sent. `round` is to be handed on, or freed. */
bool input_round_read(const struct request *request, struct input_round *round);
void input_round_free(struct input_round *round);

/* Answers with the open questions and keeps the call until the client comes back. False: err. */
bool pending_park(struct pending *pending, struct error *err);

/* "inputRequests":{...}: a question's name comes from `name`. */
void write_input_request(struct buf *out, const char *name, const struct question *question,
                         bool first);

/* Notes an answer, for the state of later rounds. */
void pending_note_answer(struct pending *pending, const struct question *question);

/* --- resources.c, listen.c, watched_resource.c
 * ------------------------------------------------------- */

struct entry *find_resource(const struct server *server, const char *uri,
                            struct uri_values *values);
void subscriptions_updated(struct session *session, const char *uri);
void subscriptions_free(struct session *session);
void listens_updated(struct session *session, const char *uri);
void listens_task(const struct mcp_task *task); /* of every session */

void watched_resource_hold(struct server *server,
                           const char *uri); /* one more is subscribed to it */
void watched_resource_drop(struct server *server, const char *uri);
void watched_resources_reload(struct server *server);

void listens_changed(struct session *session, unsigned what);
void listens_free(struct session *session);
bool listen_cancel(struct session *session, struct str id);

/* --- logging.c ------------------------------------------------------------------- */

enum { LOG_LEVEL_INFO = 1, LOG_LEVEL_NONE = 99 };
int log_level_index(const char *name); /* -1: unknown */
/* `task`: the id of the task it belongs to, or NULL. */
void send_log(struct sink *sink, const char *level, const char *logger, lua_State *L, int data,
              const char *task);

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
