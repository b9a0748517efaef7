/* Questions to the client. Before 2026-07-28 each is a request of ours, and its response an answer;
 * since then they are a result that asks for input (input_required.c). */
#include "mcp/server/call/questions.h"

#include <stdlib.h>

#include "json/shown.h"
#include "json/writer.h"
#include "mcp/server/call/input_required.h"
#include "mcp/server/call/mcp_waiter.h"
#include "mcp/server/call/sent_question.h"
#include "mcp/server/request/abilities.h"
#include "mcp/server/request/reply.h"
#include "script/vm.h"

/* --- what the client can do --------------------------------------------------------------- */

static bool has_ability(const struct pending *pending, enum ask_kind kind)
{
    return pending->abilities >> kind & 1;
}

/* The client of a task of 2026-07-28 is not connected: it comes and asks. */
static bool client_is_away(const struct pending *pending)
{
    const struct sink *sink = pending->request.sink;

    return pending->parked || (pending->as_task && pending->request.modern) ||
           (sink && sink->is_gone && sink->is_gone(sink));
}

bool pending_can(void *arg, int kind)
{
    const struct pending *pending = arg;

    return kind == ASK_AWAY ? client_is_away(pending) : has_ability(pending, (enum ask_kind)kind);
}

static bool set_refusal(struct pending *pending, const char *code, enum ask_kind kind,
                        struct error *err)
{
    free(pending->refusal.text);
    pending->refusal = (struct refusal){ mem_strdup(err->text), code, kind };
    return false;
}

static bool check_abilities(struct pending *pending, const struct elicitation *elicitation,
                            struct error *err)
{
    static const char *const what[] = {
        [ASK_FORM] = "show the user a form (capability elicitation)",
        [ASK_URL] = "show the user a URL (capability elicitation.url)",
        [ASK_SAMPLE] = "ask its model (capability sampling)",
        [ASK_SAMPLE_TOOLS] = "ask its model with tools (capability sampling.tools)",
        [ASK_ROOTS] = "list its folders (capability roots)",
    };

    for (size_t i = 0; i < elicitation->count; i++) {
        enum ask_kind kind = elicitation->items[i].kind;

        if (has_ability(pending, kind) || (kind == ASK_URL && (pending->abilities & ABILITY_VAGUE)))
            continue;
        error_set(err, "missing_capability",
                  "This requires a client that can %s, and this one cannot", what[kind]);
        return set_refusal(pending, "missing_capability", kind, err);
    }
    return true;
}

/* --- requests of ours -------------------------------------------------------------------- */

/* A task's question has no request that it belongs to, and may not have been sent at all. */
static bool may_tell(const struct pending *pending, const struct sent_question *sent)
{
    if (pending->as_task)
        return !pending->as_task->modern && sent->through && !pending->request.session->closing;
    return !pending->request.session->closing;
}

static void questions_drop(struct pending *pending, bool tell)
{
    while (!list_empty(&pending->sent)) {
        struct sent_question *sent = container_of(pending->sent.next, struct sent_question, link);

        if (tell && may_tell(pending, sent)) {
            struct sink *sink =
                pending->as_task ? mcp_waiter_sink(pending->as_task) : pending->request.sink;
            struct buf *out = notify_begin(sink, "notifications/cancelled");

            buf_addf(out, "\"requestId\":\"%s\",\"reason\":\"the answer is no longer needed\"",
                     sent->id);
            if (pending->as_task)
                write_related_task(out, pending->as_task->id);
            notify_end(sink, out);
        }
        sent_question_free(sent);
    }
}

static void questions_finish(struct pending *pending)
{
    struct elicitation *elicitation = pending->elicitation;

    timer_forget(pending->timer);
    pending->timer = NULL;
    pending->elicitation = NULL;
    if (pending->as_task)
        mcp_task_set(pending->as_task, MCP_TASK_WORKING, NULL);
    elicitation_done(elicitation);
}

static void on_questions_timeout(void *arg)
{
    struct pending *pending = arg;

    pending->timer = NULL;
    error_set(&pending->elicitation->err, "timeout", "There was no answer within %g s",
              (double)pending->elicitation->timeout_ms / 1000);
    questions_drop(pending, true);
    questions_finish(pending);
}

static void take_question_answer(struct pending *pending, struct sent_question *sent,
                                 const cJSON *message)
{
    const cJSON *refusal = json_given(message, "error");
    const cJSON *text = json_given(refusal, "message");
    struct error *err = &pending->elicitation->err;
    struct question *question = sent->question;

    sent_question_free(sent);
    if (refusal)
        error_set(err, "refused", "The client refused %s: %.300s", question_method(question),
                  cJSON_IsString(text) ? text->valuestring : "no reason given");
    else if (question_take(question, json_given(message, "result"), err))
        pending_note_answer(pending, question);
    if (err->code[0])
        questions_drop(pending, true);
    if (err->code[0] || list_empty(&pending->sent))
        questions_finish(pending);
}

static bool answer_question(struct pending *pending, struct str id, const cJSON *message)
{
    list_each (item, &pending->sent) {
        struct sent_question *sent = container_of(item, struct sent_question, link);

        if (str_same(str_from(sent->id), id)) {
            take_question_answer(pending, sent, message);
            return true;
        }
    }
    return false;
}

bool session_answer(struct session *session, const struct message *message)
{
    struct str id = message->id;

    if (id.len < 2 || id.ptr[0] != '"')
        return false;
    id = (struct str){ id.ptr + 1, id.len - 2 };
    list_each (link, &session->calls)
        if (answer_question(container_of(link, struct pending, link), id, message->root))
            return true;
    list_each (link, &session->server->tasks) {
        const struct mcp_task *task = container_of(link, struct mcp_task, link);

        if (task->session == session && !task->modern && task->pending &&
            answer_question(task->pending, id, message->root))
            return true;
    }
    return false;
}

/* --- for calls --------------------------------------------------------------------------- */

/* Gives each a name, and takes out what its reader would not see. */
static void prepare_questions(struct pending *pending, struct elicitation *elicitation)
{
    for (size_t i = 0; i < elicitation->count; i++) {
        json_show_from(&elicitation->items[i].params, 0);
        if (!elicitation->items[i].key)
            elicitation->items[i].key = mem_printf("input_%u", ++pending->asked);
    }
}

/* Answers that came with the request, from this round or an earlier one. */
static bool take_given(struct pending *pending, struct elicitation *elicitation, struct error *err)
{
    for (size_t i = 0; i < elicitation->count; i++) {
        struct question *question = &elicitation->items[i];
        const cJSON *given = input_round_answer(&pending->round, question);

        if (!given)
            continue;
        if (!question_take(question, given, err))
            return set_refusal(pending, "bad_answer", question->kind, err);
        pending_note_answer(pending, question);
    }
    return true;
}

bool pending_ask(void *arg, struct elicitation *elicitation, struct error *err)
{
    struct pending *pending = arg;

    if (pending->cancelled || pending->parked)
        return error_set(err, "cancelled", "The client is no longer waiting for this call");
    if (pending->elicitation)
        return error_set(
            err, "busy",
            "Another question of this call is open. Ask several at once with call:inputs{...}");
    prepare_questions(pending, elicitation);
    if (!check_abilities(pending, elicitation, err) || !take_given(pending, elicitation, err))
        return false;
    if (elicitation_answered(elicitation))
        return true;
    pending->elicitation = elicitation;
    if (pending->request.modern && !pending->as_task) {
        if (pending_park(pending, err))
            return true;
        pending->elicitation = NULL;
        return false;
    }
    if (pending->as_task)
        mcp_task_ask(pending->as_task, elicitation);
    for (size_t i = 0; i < elicitation->count && !pending->as_task; i++)
        sent_question_send(pending, sent_question_new(pending, &elicitation->items[i], NULL),
                           pending->request.sink);
    pending->timer = timer_after(vm_loop(registry_vm(pending->server->registry)),
                                 elicitation->timeout_ms, on_questions_timeout, pending);
    return true;
}

void pending_unask(void *arg, struct elicitation *elicitation)
{
    struct pending *pending = arg;

    (void)elicitation;
    timer_forget(pending->timer);
    pending->timer = NULL;
    pending->elicitation = NULL;
    questions_drop(pending, true);
    if (pending->as_task && !pending->cancelled)
        mcp_task_set(pending->as_task, MCP_TASK_WORKING, NULL);
}

bool questions_answer_task(struct mcp_task *task, const cJSON *responses, struct error *err)
{
    struct pending *pending = task->pending;
    bool any = false;

    if (!pending || !pending->elicitation)
        return true;
    list_each (link, &pending->sent) {
        struct sent_question *sent = container_of(link, struct sent_question, link);
        const cJSON *given = json_given(responses, sent->id);

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
