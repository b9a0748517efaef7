/* The life of tasks: what is kept of them, and when they go. */
#include "mcp/server/call/mcp_task.h"

#include <stdlib.h>
#include <time.h>

#include "base/crypto.h"
#include "base/log.h"
#include "json/utf8.h"
#include "mcp/server/call/mcp_task_wire.h"
#include "mcp/server/call/mcp_tasks.h"
#include "mcp/server/call/mcp_waiter.h"
#include "mcp/server/call/sent_question.h"
#include "mcp/server/request/reply.h"
#include "registry/call/outcome.h"
#include "script/vm.h"

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static uv_loop_t *loop_of(const struct server *server)
{
    return vm_loop(registry_vm(server->registry));
}

/* --- status ------------------------------------------------------------------------------ */

static void set_message(struct mcp_task *task, const char *message)
{
    free(task->message);
    task->message =
        message ? mem_strndup(message, utf8_cut(message, strlen(message), MCP_TASK_MESSAGE)) : NULL;
    task->changed = now_ms();
}

static void tell_task_status(const struct mcp_task *task)
{
    struct buf *out;

    if (task->modern) {
        task->server->task_changed(task);
    } else if (!task->session->closing) {
        out = notify_begin(task->session->sink, "notifications/tasks/status");
        mcp_task_write(out, task);
        notify_end(task->session->sink, out);
    }
}

void mcp_task_say(struct mcp_task *task, const char *message)
{
    set_message(task, message);
}

void mcp_task_set(struct mcp_task *task, enum mcp_task_status status, const char *message)
{
    if (mcp_task_ended(task))
        return;
    task->status = status;
    set_message(task, message);
    tell_task_status(task);
}

/* --- beginning and end ------------------------------------------------------------------- */

static void task_free(struct mcp_task *task)
{
    struct pending *pending = task->pending;

    task->pending = NULL;
    timer_forget(task->timer);
    list_remove(&task->link);
    if (pending)
        pending_cancel(pending);
    mcp_waiters_refuse(task,
                       "The task has expired and its result was deleted. Call the tool again");
    buf_free(&task->result);
    buf_free(&task->meta);
    buf_free(&task->error);
    free(task->message);
    free(task->tool);
    free(task->who);
    free(task);
}

static void on_task_expired(void *arg)
{
    struct mcp_task *task = arg;

    task->timer = NULL;
    log_debug("task %.8s... of %s ends with its time to live%s", task->id, task->tool,
              task->pending ? ", still running" : "");
    task_free(task);
}

static uint64_t settle_ttl(const struct server *server, uint64_t wanted)
{
    uint64_t most = server->task_ttl_ms ? server->task_ttl_ms : MCP_TASK_TTL_MAX_MS;

    if (!wanted)
        return server->task_ttl_ms ? server->task_ttl_ms : MCP_TASK_TTL_MS;
    return wanted < most ? wanted : most;
}

struct mcp_task *mcp_task_new(const struct request *request, const struct entry *entry,
                              uint64_t ttl_ms, struct error *err)
{
    struct session *session = request->session;
    struct server *server = session->server;
    struct mcp_task *task;

    if (!mcp_task_room(session, err))
        return NULL;
    task = mem_zero(sizeof *task);
    task->server = server;
    task->session = session->stateless ? NULL : session;
    task->who = session->who ? mem_strdup(session->who) : NULL;
    task->modern = request->modern;
    task->serial = ++server->task_serial;
    crypto_random_name(task->id, MCP_TASK_ID);
    task->tool = mem_strdup(entry->name);
    task->created = task->changed = now_ms();
    task->ttl_ms = settle_ttl(server, ttl_ms);
    list_init(&task->waiters);
    list_push(&server->tasks, &task->link);
    task->timer = timer_after(loop_of(server), task->ttl_ms, on_task_expired, task);
    log_debug("task %.8s... of %s begins", task->id, task->tool);
    return task;
}

void mcp_task_take(struct mcp_task *task, struct pending *pending)
{
    char *token = task->modern ? NULL : pending->progress_token;

    if (token)
        pending->progress_token = NULL; /* it stays valid, before 2026-07-28 */
    pending_let_go(pending);
    pending->request.session = task->session;
    pending->progress_token = token;
    pending->as_task = task;
    task->pending = pending;
}

void mcp_tasks_end(struct server *server, const struct session *session)
{
    list_each (link, &server->tasks) {
        struct mcp_task *task = container_of(link, struct mcp_task, link);

        if (!session || task->session == session)
            task_free(task);
    }
}

/* --- results ----------------------------------------------------------------------------- */

/* Drops a result that there is no room for, and says so in its place. True: there is room. */
static bool bound_result(struct mcp_task *task)
{
    bool own;
    size_t len = mcp_task_excess(task, &own);
    char *text;

    if (!len)
        return true;
    buf_free(&task->result);
    buf_free(&task->meta);
    text = mem_printf(
        "The result of %s (%zu bytes) was not kept because the results of %s tasks have reached "
        "their limit. Call it without a task, request less, or request a shorter ttl",
        task->tool, len, own ? "your" : "all clients'");
    outcome_write_error(NULL, &task->result, &task->meta, text, strlen(text), "too_large");
    free(text);
    return false;
}

static void end_as(struct mcp_task *task, enum mcp_task_status status, const char *message)
{
    task->pending = NULL;
    log_debug("task %.8s... of %s ended: %s", task->id, task->tool, message ? message : "done");
    mcp_task_set(task, status, message);
    mcp_waiters_answer(task);
}

/* isError is a failure before 2026-07-28; since then only an error of the protocol is. */
static void end_with_result(struct mcp_task *task, bool is_error, const char *message)
{
    if (!bound_result(task)) {
        is_error = true;
        message = "The result was not kept because the limit is reached";
    }
    end_as(task, is_error && !task->modern ? MCP_TASK_FAILED : MCP_TASK_COMPLETED,
           is_error ? message : NULL);
}

void mcp_task_finish(struct mcp_task *task, const struct outcome *outcome)
{
    struct pending *pending = task->pending;
    bool is_error;

    if (pending_refused(pending, outcome)) {
        pending_write_refusal(pending, &task->error);
        end_as(task, MCP_TASK_FAILED, pending->refusal.text);
        return;
    }
    is_error = outcome_show(outcome, &task->result, &task->meta, task->modern);
    end_with_result(task, is_error,
                    outcome->failed && outcome->value ? lua_tostring(outcome->L, outcome->value)
                    : outcome->failed                 ? outcome->err.text
                                                      : "The result is an error");
}

void mcp_task_refuse(struct mcp_task *task, const struct entry *entry, const char *text,
                     const char *code)
{
    outcome_write_error(entry, &task->result, &task->meta, text, strlen(text), code);
    end_with_result(task, true, text);
}

void mcp_task_cancel(struct mcp_task *task, const char *why)
{
    struct pending *pending = task->pending;

    if (mcp_task_ended(task))
        return;
    task->pending = NULL;
    if (pending)
        pending_cancel(pending);
    end_as(task, MCP_TASK_CANCELLED, why);
}

/* --- questions --------------------------------------------------------------------------- */

/* In a task a name may stand for one question only (2026-07-28). */
static char *wire_question_name(const struct mcp_task *task, const struct question *question)
{
    return task->rounds > 1 ? mem_printf("%s#%u", question->key, task->rounds)
                            : mem_strdup(question->key);
}

void mcp_task_ask(struct mcp_task *task, struct elicitation *elicitation)
{
    task->rounds++;
    for (size_t i = 0; i < elicitation->count; i++) {
        struct question *question = &elicitation->items[i];

        if (!question->answer)
            sent_question_new(task->pending, question,
                              task->modern ? wire_question_name(task, question) : NULL);
    }
    mcp_task_set(task, MCP_TASK_INPUT_REQUIRED,
                 elicitation->count > 1 ? "Waiting for answers" : "Waiting for an answer");
    if (!task->modern)
        mcp_waiters_ask(task);
}

/* --- a call that takes long (2026-07-28) ------------------------------------------------- */

static void on_long(void *arg)
{
    struct pending *pending = arg;
    struct mcp_task *task;
    struct error err;

    pending->grace = NULL;
    task = mcp_task_new(&pending->request, pending->entry, 0, &err);
    if (task) {
        mcp_task_say(task, pending->said);
        mcp_task_reply_created(task, &pending->request);
        mcp_task_take(task, pending);
    } else { /* there was room when it began, and it has no time limit of its own */
        reply_error(&pending->request, RPC_INVALID_REQUEST, NULL, "%s", err.text);
        pending_cancel(pending);
    }
}

void mcp_task_expect(struct pending *pending)
{
    if (pending->may_be_task)
        pending->grace = timer_after(loop_of(pending->server), MCP_TASK_GRACE_MS, on_long, pending);
}
