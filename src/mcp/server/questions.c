/* Questions to the client. Before 2026-07-28 each is a request of ours, and its response an answer;
 * since then they are a result that asks for input (input_required.c). */
#include <stdlib.h>

#include "base/log.h"
#include "mcp/server/mcp_task.h"
#include "mcp/server/session.h"
#include "script/vm.h"
#include "json/writer.h"

/* --- what the client can do --------------------------------------------------------------- */

unsigned abilities_read(const cJSON *capabilities)
{
    const cJSON *elicitation = json_get(capabilities, "elicitation");
    const cJSON *sampling = json_get(capabilities, "sampling");
    bool url = cJSON_IsObject(json_get(elicitation, "url"));
    unsigned abilities = 0;

    /* an empty object is how revisions before modes said "forms" */
    if (cJSON_IsObject(elicitation) && (!url || json_get(elicitation, "form")))
        abilities |= 1u << ASK_FORM;
    if (url)
        abilities |= 1u << ASK_URL;
    if (cJSON_IsObject(sampling))
        abilities |= 1u << ASK_SAMPLE;
    if (cJSON_IsObject(json_get(sampling, "tools")))
        abilities |= 1u << ASK_SAMPLE_TOOLS;
    if (cJSON_IsObject(json_get(capabilities, "roots")))
        abilities |= 1u << ASK_ROOTS;
    if (cJSON_IsObject(json_get(json_get(capabilities, "extensions"), MCP_TASKS)))
        abilities |= ABILITY_TASKS;
    return abilities;
}

const char *abilities_required(enum ask_kind kind)
{
    static const char *const data[] = {
        [ASK_FORM] = "{\"requiredCapabilities\":{\"elicitation\":{}}}",
        [ASK_URL] = "{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}",
        [ASK_SAMPLE] = "{\"requiredCapabilities\":{\"sampling\":{}}}",
        [ASK_SAMPLE_TOOLS] = "{\"requiredCapabilities\":{\"sampling\":{\"tools\":{}}}}",
        [ASK_ROOTS] = "{\"requiredCapabilities\":{\"roots\":{}}}",
    };

    return data[kind];
}

bool pending_can(void *arg, int kind)
{
    const struct pending *pending = arg;

    return pending->abilities >> kind & 1;
}

static bool set_refusal(struct pending *pending, const char *code, enum ask_kind kind,
                        struct error *err)
{
    free(pending->refusal.text);
    pending->refusal = (struct refusal){ mem_strdup(err->text), code, kind };
    return false;
}

static bool check_abilities(struct pending *pending, const struct asking *asking, struct error *err)
{
    static const char *const what[] = {
        [ASK_FORM] = "show the user a form (capability elicitation)",
        [ASK_URL] = "show the user an address (capability elicitation.url)",
        [ASK_SAMPLE] = "ask its model (capability sampling)",
        [ASK_SAMPLE_TOOLS] = "ask its model with tools (capability sampling.tools)",
        [ASK_ROOTS] = "tell its folders (capability roots)",
    };

    for (size_t i = 0; i < asking->count; i++) {
        enum ask_kind kind = asking->items[i].kind;

        if (pending_can(pending, (int)kind))
            continue;
        error_set(err, "missing_capability", "This needs a client that can %s; this one cannot",
                  what[kind]);
        return set_refusal(pending, "missing_capability", kind, err);
    }
    return true;
}

/* --- requests of ours ------------------------------------------------------------------------- */

void sent_question_free(struct sent_question *sent)
{
    list_remove(&sent->link);
    free(sent->id);
    free(sent);
}

/* A task's question has no request that it belongs to, and may not have been sent at all. */
static bool may_tell(const struct pending *pending, const struct sent_question *sent)
{
    if (pending->as_task)
        return !pending->as_task->modern && sent->through && !pending->request.session->closing;
    return !pending->request.session->closing;
}

void questions_drop(struct pending *pending, bool tell)
{
    while (!list_empty(&pending->sent)) {
        struct sent_question *sent = container_of(pending->sent.next, struct sent_question, link);

        if (tell && may_tell(pending, sent)) {
            struct sink *sink =
                pending->as_task ? mcp_waiter_sink(pending->as_task) : pending->request.sink;
            struct buf *out = notify_begin(sink, "notifications/cancelled");

            buf_addf(out, "\"requestId\":\"%s\",\"reason\":\"the answer is not needed any more\"",
                     sent->id);
            if (pending->as_task)
                write_related_task(out, pending->as_task->id);
            notify_end(sink, out);
        }
        sent_question_free(sent);
    }
}

/* The mode of elicitations and the id of addresses came with 2025-11-25. */
static void write_params(struct buf *out, const struct sent_question *sent, const char *version,
                         const struct mcp_task *task)
{
    const struct question *question = sent->question;
    bool modes = version && strcmp(version, "2025-11-25") >= 0;

    buf_addc(out, '{');
    if (question->kind == ASK_FORM && modes)
        buf_lit(out, "\"mode\":\"form\",");
    else if (question->kind == ASK_URL && modes)
        buf_addf(out, "\"mode\":\"url\",\"elicitationId\":\"%s\",", sent->id);
    buf_add(out, question->params.data + 1, question->params.len - 2);
    if (task && out->data[out->len - 1] == '{')
        buf_addf(out, "\"_meta\":{\"" MCP_META_RELATED "\":{\"taskId\":\"%s\"}}", task->id);
    else if (task)
        write_related_task(out, task->id);
    buf_addc(out, '}');
}

struct sent_question *sent_question_new(struct pending *pending, struct question *question,
                                        char *id)
{
    struct sent_question *sent = mem_zero(sizeof *sent);

    sent->id = id ? id : mem_printf("ask-%llu", (unsigned long long)++pending->server->questions);
    sent->question = question;
    list_push(&pending->sent, &sent->link);
    return sent;
}

void sent_question_send(struct pending *pending, struct sent_question *sent, struct sink *sink)
{
    struct buf *out = ask_begin(sink, sent->id, question_method(sent->question));

    write_params(out, sent, pending->request.session->version, pending->as_task);
    ask_end(sink, out);
}

void questions_finish(struct pending *pending)
{
    struct asking *asking = pending->asking;

    timer_forget(pending->timer);
    pending->timer = NULL;
    pending->asking = NULL;
    if (pending->as_task)
        mcp_task_set(pending->as_task, MCP_TASK_WORKING, NULL);
    asking_done(asking);
}

static void on_timeout(void *arg)
{
    struct pending *pending = arg;

    pending->timer = NULL;
    error_set(&pending->asking->err, "timeout", "There was no answer within %g s",
              (double)pending->asking->timeout_ms / 1000);
    questions_drop(pending, true);
    questions_finish(pending);
}

static void take_answer(struct pending *pending, struct sent_question *sent, const cJSON *message)
{
    const cJSON *refusal = json_get(message, "error");
    const cJSON *text = json_get(refusal, "message");
    struct error *err = &pending->asking->err;
    struct question *question = sent->question;

    sent_question_free(sent);
    if (refusal)
        error_set(err, "refused", "The client refused %s: %.300s", question_method(question),
                  cJSON_IsString(text) ? text->valuestring : "it did not say why");
    else if (question_take(question, json_get(message, "result"), err))
        pending_note_answer(pending, question);
    if (err->code[0])
        questions_drop(pending, true);
    if (err->code[0] || list_empty(&pending->sent))
        questions_finish(pending);
}

static bool answer_one(struct pending *pending, struct str id, const cJSON *message)
{
    list_each (item, &pending->sent) {
        struct sent_question *sent = container_of(item, struct sent_question, link);

        if (str_same(str_from(sent->id), id)) {
            take_answer(pending, sent, message);
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
        if (answer_one(container_of(link, struct pending, link), id, message->root))
            return true;
    list_each (link, &session->server->tasks) {
        const struct mcp_task *task = container_of(link, struct mcp_task, link);

        if (task->session == session && !task->modern && task->pending &&
            answer_one(task->pending, id, message->root))
            return true;
    }
    return false;
}

/* --- for calls -------------------------------------------------------------------------------- */

static void name_questions(struct pending *pending, struct asking *asking)
{
    for (size_t i = 0; i < asking->count; i++)
        if (!asking->items[i].key)
            asking->items[i].key = mem_printf("input_%u", ++pending->asked);
}

/* Answers that came with the request, from this round or an earlier one. */
static bool take_given(struct pending *pending, struct asking *asking, struct error *err)
{
    const cJSON *earlier = json_get(json_root(pending->round.state), "answers");
    const cJSON *inputs = json_root(pending->round.inputs);

    for (size_t i = 0; i < asking->count; i++) {
        struct question *question = &asking->items[i];
        const cJSON *given = json_get(inputs, question->key);

        if (!given)
            given = json_get(earlier, question->key);
        if (!given)
            continue;
        if (!question_take(question, given, err))
            return set_refusal(pending, "bad_answer", question->kind, err);
        pending_note_answer(pending, question);
    }
    return true;
}

bool pending_ask(void *arg, struct asking *asking, struct error *err)
{
    struct pending *pending = arg;

    if (pending->cancelled || pending->parked)
        return error_set(err, "cancelled", "The client does not wait for this call any more");
    if (pending->asking)
        return error_set(err, "busy",
                         "Another question of this call is open; ask several at once "
                         "with call:inputs{...}");
    name_questions(pending, asking);
    if (!check_abilities(pending, asking, err) || !take_given(pending, asking, err))
        return false;
    if (asking_answered(asking))
        return true;
    pending->asking = asking;
    if (pending->request.modern && !pending->as_task) {
        if (pending_park(pending, err))
            return true;
        pending->asking = NULL;
        return false;
    }
    if (pending->as_task)
        mcp_task_ask(pending->as_task, asking);
    for (size_t i = 0; i < asking->count && !pending->as_task; i++)
        sent_question_send(pending, sent_question_new(pending, &asking->items[i], NULL),
                           pending->request.sink);
    pending->timer = timer_after(vm_loop(registry_vm(pending->server->registry)),
                                 asking->timeout_ms, on_timeout, pending);
    return true;
}

void pending_unask(void *arg, struct asking *asking)
{
    struct pending *pending = arg;

    (void)asking;
    timer_forget(pending->timer);
    pending->timer = NULL;
    pending->asking = NULL;
    questions_drop(pending, true);
    if (pending->as_task && !pending->cancelled)
        mcp_task_set(pending->as_task, MCP_TASK_WORKING, NULL);
}
