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
            sent_question_new(task->pending, question,
                              task->modern ? wire_name(task, question) : NULL);
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
        list_each (link, &task->pending->sent) {
            const struct sent_question *sent = container_of(link, struct sent_question, link);

            write_input_request(out, sent->id, sent->question, first);
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
    list_each (link, &pending->sent) {
        struct sent_question *sent = container_of(link, struct sent_question, link);
        const cJSON *given = json_get(responses, sent->id);

        if (!given)
            continue;
        if (!question_take(sent->question, given, err))
            return false;
        sent_question_free(sent);
        any = true;
    }
    if (list_empty(&pending->sent))
        questions_finish(pending);
    else if (any)
        mcp_task_set(task, MCP_TASK_INPUT_REQUIRED, "Waiting for answers");
    return true;
}
