/* Tasks of the protocol: a tools/call that was answered at once with a handle and goes on running.
 * (`struct task` is a coroutine of script/task.h; this is another thing.)
 *
 * 2025-11-25 has them in its core: the client asks for one with `task` in its request, waits with
 * tasks/result, and the questions of a task travel there. For 2026-07-28 they are the extension
 * io.modelcontextprotocol/tasks: the client says in its capabilities that it can take one, the
 * server decides, and results and questions are part of what tasks/get answers.
 *
 * A task belongs to the session that made it, or where sessions last for one request, to the
 * identity that the transport reports. For any other it does not exist. The server owns all; each
 * ends with its time to live, with its session, or with the server. Numbers and bytes are bounded.
 */
#ifndef PERIGEE_MCP_SERVER_CALL_MCP_TASK_H
#define PERIGEE_MCP_SERVER_CALL_MCP_TASK_H

#include "mcp/server/call/pending.h"

enum {
    MCP_TASK_ID = 32,          /* characters */
    MCP_TASK_TTL_MS = 3600000, /* by default */
    MCP_TASK_TTL_MAX_MS = 86400000,
    MCP_TASK_GRACE_MS = 300, /* 2026-07-28: a call that takes longer becomes a task */
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
    struct session *session; /* its owner; NULL: it belongs to every session of `who` */
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
    unsigned rounds;         /* number of rounds of questions, for their names */
    struct link waiters;     /* struct mcp_waiter: requests for its result, before 2026-07-28 */
};

/* NULL: err, "too_many_tasks". Owned by the server. ttl_ms: what the client wants, or 0. */
struct mcp_task *mcp_task_new(const struct request *request, const struct entry *entry,
                              uint64_t ttl_ms, struct error *err);

void mcp_task_set(struct mcp_task *task, enum mcp_task_status status, const char *message);
void mcp_task_say(struct mcp_task *task, const char *message); /* or NULL; the status stays */

/* From now on the request's call is the task's; its request is gone. */
void mcp_task_take(struct mcp_task *task, struct pending *pending);

/* Is the call one that becomes a task if it takes long? Then, in a while, it does. */
void mcp_task_expect(struct pending *pending);

/* Its call asks the client. */
void mcp_task_ask(struct mcp_task *task, struct elicitation *elicitation);

/* The call ended: keeps its result. */
void mcp_task_finish(struct mcp_task *task, const struct outcome *outcome);

/* The same for a call that could not be made. */
void mcp_task_refuse(struct mcp_task *task, const struct entry *entry, const char *text,
                     const char *code);

void mcp_task_cancel(struct mcp_task *task, const char *why);             /* stops its call */
void mcp_tasks_end(struct server *server, const struct session *session); /* NULL: all */

#endif
