/* Requests that wait for a task's result. */
#include "mcp/server/call/mcp_waiter.h"

#include <stdlib.h>

#include "mcp/server/call/mcp_task.h"
#include "mcp/server/call/sent_question.h"
#include "mcp/server/request/reply.h"

enum { WAITERS_MAX = 32 }; /* for one result at a time */

/* A request that waits for a task's end. */
struct mcp_waiter {
    struct link link;       /* in task->waiters */
    struct request request; /* id owned, sink held */
};

/* --- the result -------------------------------------------------------------------------- */

void mcp_task_reply_result(const struct mcp_task *task, const struct request *request)
{
    struct buf meta = { 0 };
    struct buf *out;

    if (task->status == MCP_TASK_CANCELLED) {
        reply_error(request, RPC_INVALID_REQUEST, NULL, "The task was cancelled and has no result");
        return;
    }
    out = reply_begin(request);
    buf_add(out, task->result.data, task->result.len);
    buf_add(&meta, task->meta.data, task->meta.len);
    write_related_task_member(&meta, task->id);
    reply_end(request, out, false, &meta);
    buf_free(&meta);
}

static void waiter_free(struct mcp_waiter *waiter)
{
    struct sink *sink = waiter->request.sink;

    list_remove(&waiter->link);
    free((char *)waiter->request.id.ptr);
    free(waiter);
    sink_drop(sink);
}

void mcp_waiters_answer(struct mcp_task *task)
{
    while (!list_empty(&task->waiters)) {
        struct mcp_waiter *waiter = container_of(task->waiters.next, struct mcp_waiter, link);

        mcp_task_reply_result(task, &waiter->request);
        waiter_free(waiter);
    }
}

void mcp_waiters_refuse(struct mcp_task *task, const char *text)
{
    while (!list_empty(&task->waiters)) {
        struct mcp_waiter *waiter = container_of(task->waiters.next, struct mcp_waiter, link);

        if (!waiter->request.session->closing)
            reply_error(&waiter->request, RPC_INVALID_PARAMS, NULL, "%s", text);
        waiter_free(waiter);
    }
}

/* --- questions --------------------------------------------------------------------------- */

struct sink *mcp_waiter_sink(const struct mcp_task *task)
{
    return list_empty(&task->waiters)
               ? task->session->sink
               : container_of(task->waiters.next, struct mcp_waiter, link)->request.sink;
}

void mcp_waiters_ask(struct mcp_task *task)
{
    struct mcp_waiter *waiter;

    if (list_empty(&task->waiters) || !task->pending)
        return;
    waiter = container_of(task->waiters.next, struct mcp_waiter, link);
    list_each (link, &task->pending->sent) {
        struct sent_question *sent = container_of(link, struct sent_question, link);

        if (sent->through)
            continue;
        sent->through = waiter;
        sent_question_send(task->pending, sent, waiter->request.sink);
    }
}

/* Questions that were sent to this waiter must be sent to another one. */
static void unsend_questions(struct mcp_task *task, const struct mcp_waiter *waiter)
{
    if (!task->pending)
        return;
    list_each (link, &task->pending->sent) {
        struct sent_question *sent = container_of(link, struct sent_question, link);

        if (sent->through == waiter)
            sent->through = NULL;
    }
}

/* --- beginning and end ------------------------------------------------------------------- */

static bool cancel_waiter(struct mcp_task *task, struct str id)
{
    list_each (link, &task->waiters) {
        struct mcp_waiter *waiter = container_of(link, struct mcp_waiter, link);

        if (!str_same(waiter->request.id, id))
            continue;
        unsend_questions(task, waiter);
        waiter_free(waiter);
        mcp_waiters_ask(task);
        return true;
    }
    return false;
}

bool mcp_waiter_cancel(struct session *session, struct str id)
{
    list_each (link, &session->server->tasks) {
        struct mcp_task *task = container_of(link, struct mcp_task, link);

        if (task->session == session && cancel_waiter(task, id))
            return true;
    }
    return false;
}

static bool may_wait(const struct request *request, const struct mcp_task *task)
{
    size_t count = 0;

    list_each (link, &task->waiters)
        count++;
    if (count < WAITERS_MAX)
        return true;
    reply_error(
        request, RPC_INVALID_REQUEST, NULL,
        "%d requests are already waiting for the result of this task. Use tasks/get instead",
        WAITERS_MAX);
    return false;
}

void mcp_waiter_add(struct mcp_task *task, const struct request *request)
{
    struct mcp_waiter *waiter;

    if (!may_wait(request, task))
        return;
    waiter = mem_zero(sizeof *waiter);
    waiter->request = *request;
    waiter->request.id.ptr = mem_strndup(request->id.ptr, request->id.len);
    waiter->request.method = NULL;
    waiter->request.params = NULL;
    sink_hold(request->sink);
    list_push(&task->waiters, &waiter->link);
    mcp_waiters_ask(task);
}
