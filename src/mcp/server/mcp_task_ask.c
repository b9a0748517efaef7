/* Questions of a call that is a task. Before 2026-07-28 they are requests of ours, sent to whoever
 * waits with tasks/result; since then they are part of what tasks/get answers, and tasks/update
 * brings the answers. */
#include "mcp/server/mcp_task.h"
#include "registry/call/asking.h"

/* In a task a name may stand for one question only (2026-07-28). */
static char *wire_name(const struct mcp_task *task, const struct question *question)
{
    return task->rounds > 1 ? mem_printf("%s#%u", question->key, task->rounds)
                            : mem_strdup(question->key);
}

void mcp_task_ask(struct mcp_task *task, struct asking *asking)
{
    task->rounds++;
    for (size_t i = 0; i < asking->count; i++) {
        struct question *question = &asking->items[i];

        if (!question->answer)
            ask_new(task->pending, question, task->modern ? wire_name(task, question) : NULL);
    }
    mcp_task_set(task, MCP_TASK_INPUT_REQUIRED,
                 asking->count > 1 ? "Waiting for answers" : "Waiting for an answer");
    if (!task->modern)
        mcp_waiters_ask(task);
}

void mcp_task_write_asks(struct buf *out, const struct mcp_task *task)
{
    bool first = true;

    buf_lit(out, "\"inputRequests\":{");
    if (task->pending)
        list_each (link, &task->pending->asks) {
            const struct ask *ask = container_of(link, struct ask, link);

            write_input_request(out, ask->id, ask->question, first);
            first = false;
        }
    buf_addc(out, '}');
}

bool mcp_task_answer(struct mcp_task *task, const cJSON *responses, struct error *err)
{
    struct pending *pending = task->pending;
    bool any = false;

    if (!pending || !pending->asking)
        return true;
    list_each (link, &pending->asks) {
        struct ask *ask = container_of(link, struct ask, link);
        const cJSON *given = json_get(responses, ask->id);

        if (!given)
            continue;
        if (!question_take(ask->question, given, err))
            return false;
        ask_free(ask);
        any = true;
    }
    if (list_empty(&pending->asks))
        asks_finish(pending);
    else if (any)
        mcp_task_set(task, MCP_TASK_INPUT_REQUIRED, "Waiting for answers");
    return true;
}
