/* Tasks of the protocol: a tools/call that was answered at once with a handle and goes on running.
 * (`struct task` is a coroutine of script/task.h; this is another thing.)
 *
 * 2025-11-25 has them in its core: the client asks for one with `task` in its request, waits with
 * tasks/result, and the questions of a task travel there. For 2026-07-28 they are the extension
 * io.modelcontextprotocol/tasks: the client says in its capabilities that it can take one, the
 * server decides, and results and questions are part of what tasks/get answers.
 *
 * A task belongs to the session that made it, or where sessions last for one request, to whoever
 * the transport says is asking. For anybody else it does not exist. The server owns all; each ends
 * with its time to live, with its session, or with the server. Numbers and bytes are bounded. */
#ifndef PERIGEE_MCP_SERVER_MCP_TASK_H
#define PERIGEE_MCP_SERVER_MCP_TASK_H

#include "mcp/server/session.h"

enum {
    MCP_TASKS_ALL = 1024,    /* kept at once */
    MCP_TASKS_OWNED = 256,   /* of one owner */
    MCP_TASKS_RUNNING = 128, /* not ended yet */
    MCP_TASKS_OWNED_RUNNING = 32,
    MCP_TASKS_BYTES = 128 << 20, /* of results */
    MCP_TASKS_OWNED_BYTES = 32 << 20,
    MCP_TASK_ID = 32,          /* characters */
    MCP_TASK_TTL_MS = 3600000, /* when nobody says */
    MCP_TASK_TTL_MAX_MS = 86400000,
    MCP_TASK_GRACE_MS = 300, /* 2026-07-28: a call that takes longer becomes a task */
    MCP_TASK_WAITERS = 32,   /* requests for one result at a time */
    MCP_TASK_MESSAGE = 500,  /* bytes of a statusMessage */
};

enum mcp_task_status {
    MCP_TASK_WORKING,
    MCP_TASK_INPUT_REQUIRED,
    MCP_TASK_COMPLETED,
    MCP_TASK_FAILED,
    MCP_TASK_CANCELLED,
};

struct mcp_task {
    struct link link; /* in server->tasks; the oldest first */
    struct server *server;
    struct session *session; /* whose it is; NULL: of every session that `who` has */
    char *who;               /* session_identify(); owned; or NULL */
    bool modern;
    uint64_t serial; /* order of creation */
    char id[MCP_TASK_ID + 1];
    char *tool; /* its name; owned */
    enum mcp_task_status status;
    char *message;            /* statusMessage; owned; or NULL */
    int64_t created, changed; /* ms since 1970 */
    uint64_t ttl_ms;
    struct timer *timer;     /* its end */
    struct pending *pending; /* NULL: it has ended */
    struct buf result, meta; /* members of the result, and of its _meta */
    struct buf error;        /* instead: a JSON-RPC error, as JSON text; empty: none */
    unsigned rounds;         /* of questions, for their names */
    struct link waiters;     /* struct mcp_waiter: requests for its result, before 2026-07-28 */
};

/* --- mcp_task.c: life ------------------------------------------------------------------------ */

/* Is there room for one more of the session's? False: err. */
bool mcp_task_room(const struct session *session, struct error *err);

/* NULL: err. Owned by the server. ttl_ms: what the client wants, or 0. */
struct mcp_task *mcp_task_new(const struct request *request, const struct entry *entry,
                              uint64_t ttl_ms, struct error *err);

/* The one with this id, if it is the session's, and of this era; else NULL. */
struct mcp_task *mcp_task_find(const struct session *session, bool modern, struct str id);
bool mcp_task_belongs(const struct mcp_task *task, const struct session *session, bool modern);

void mcp_task_set(struct mcp_task *task, enum mcp_task_status status, const char *message);
void mcp_task_say(struct mcp_task *task, const char *message); /* or NULL; the status stays */
bool mcp_task_ended(const struct mcp_task *task);

/* From now on the request's call is the task's; its request is gone. */
void mcp_task_take(struct mcp_task *task, struct pending *pending);

/* The call ended: keeps its result. */
void mcp_task_finish(struct mcp_task *task, const struct outcome *outcome);

/* The same for a call that could not be made. */
void mcp_task_refuse(struct mcp_task *task, const char *text, const char *code);

void mcp_task_cancel(struct mcp_task *task, const char *why);             /* stops its call */
void mcp_tasks_end(struct server *server, const struct session *session); /* NULL: all */
bool mcp_tasks_running(const struct session *session);

/* Is the call one that becomes a task if it takes long? Then, in a while, it does. */
void mcp_task_expect(struct pending *pending);

/* --- mcp_task_methods.c -------------------------------------------------------------------------
 */

/* Settles how a tools/call of this tool runs. False: an error was sent. *task: the one that it is
 * to be, or NULL; *may: it may become one. */
bool mcp_task_settle(const struct request *request, const struct entry *entry,
                     struct mcp_task **task, bool *may);

/* tasks/result of the session with this id is not waited for any more. */
bool mcp_waiter_cancel(struct session *session, struct str id);
void mcp_waiters_answer(struct mcp_task *task); /* it has ended */
void mcp_waiters_refuse(struct mcp_task *task, const char *text);
struct sink *mcp_waiter_sink(const struct mcp_task *task); /* the session's, when nobody waits */
void mcp_waiters_ask(struct mcp_task *task); /* sends what was not sent, if somebody waits */

/* -32021: the client has not said that it takes tasks. */
void abilities_refuse_tasks(const struct request *request);

/* --- mcp_task_ask.c: questions to the client
 * ------------------------------------------------------ */

void mcp_task_ask(struct mcp_task *task, struct asking *asking);
void mcp_task_write_asks(struct buf *out, const struct mcp_task *task); /* "inputRequests":{...} */
/* Takes the answers to what is asked, and no others. False: one does not fit. */
bool mcp_task_answer(struct mcp_task *task, const cJSON *responses, struct error *err);

/* --- mcp_task_wire.c: as JSON
 * ---------------------------------------------------------------------- */

/* The members of a Task, without braces. */
void mcp_task_write(struct buf *out, const struct mcp_task *task);
/* Those, and what its status has: result, error or inputRequests (2026-07-28). */
void mcp_task_write_detailed(struct buf *out, const struct mcp_task *task);
/* ,"_meta":{related-task} for params that have members already. */
void write_related_task(struct buf *out, const char *id);
void write_related_task_member(struct buf *meta, const char *id); /* without the braces */
/* Answers a tools/call with a task. */
void mcp_task_reply_created(const struct mcp_task *task, const struct request *request);
void mcp_task_tell(const struct mcp_task *task); /* its status changed */

#endif
