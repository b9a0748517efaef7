/* Their parts, and how they leave one request for another. */
#include "mcp/server/call/pending.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/server/call/sent_question.h"
#include "mcp/server/request/abilities.h"
#include "mcp/server/request/batch.h"
#include "mcp/server/request/logging.h"
#include "mcp/server/request/reply.h"
#include "mcp/versions.h"

/* --- start and end --------------------------------------------------------------- */

void pending_attach(struct pending *pending, const struct request *request)
{
    const cJSON *meta = json_given(request->params, "_meta");
    const cJSON *token = json_given(meta, "progressToken");
    const cJSON *level = json_given(meta, MCP_META_LEVEL);

    pending->request = *request;
    pending->request.id.ptr = mem_strndup(request->id.ptr, request->id.len);
    pending->request.method = NULL;
    pending->request.params = NULL;
    pending->parked = false;
    pending->log_level = cJSON_IsString(level) && log_level_index(level->valuestring) >= 0
                             ? log_level_index(level->valuestring)
                             : LOG_LEVEL_NONE;
    pending->abilities = abilities_of(request);
    if (cJSON_IsString(token) || cJSON_IsNumber(token))
        pending->progress_token = message_token(request->source, "_meta", "progressToken", token);
    if (pending->request.batch)
        batch_hold(pending->request.batch);
    sink_hold(request->sink);
    list_push(&request->session->calls, &pending->link);
    request->session->call_count++;
    pending->server->call_count++;
}

void pending_let_go(struct pending *pending)
{
    struct sink *sink = pending->request.sink;

    if (pending->request.id.ptr) { /* it is attached */
        pending->request.session->call_count--;
        pending->server->call_count--;
    }
    timer_forget(pending->grace);
    pending->grace = NULL;
    list_remove(&pending->link);
    if (pending->request.batch)
        batch_drop(pending->request.batch);
    free((char *)pending->request.id.ptr);
    free(pending->progress_token);
    pending->progress_token = NULL;
    pending->request = (struct request){ .modern = pending->request.modern };
    if (sink)
        sink_drop(sink);
}

void pending_detach(struct pending *pending)
{
    pending_let_go(pending);
    pending->parked = true;
}

struct pending *pending_new(const struct request *request, struct input_round *round)
{
    struct pending *pending = mem_zero(sizeof *pending);

    pending->server = request->session->server;
    pending->round = *round;
    *round = (struct input_round){ 0 };
    list_init(&pending->sent);
    pending_attach(pending, request);
    return pending;
}

void pending_free(struct pending *pending)
{
    while (!list_empty(&pending->sent))
        sent_question_free(container_of(pending->sent.next, struct sent_question, link));
    timer_forget(pending->timer);
    input_round_free(&pending->round);
    buf_free(&pending->answers);
    if (pending->parked)
        pending->server->parked_count--;
    free(pending->refusal.text);
    free(pending->subject);
    free(pending->said);
    free(pending->from_text);
    pending_let_go(pending);
    free(pending);
}

void pending_note_answer(struct pending *pending, const struct question *question)
{
    if (pending->request.modern)
        input_round_note(&pending->answers, question);
}

bool pending_refused(const struct pending *pending, const struct outcome *outcome)
{
    const struct refusal *refusal = &pending->refusal;

    return refusal->text && pending->request.modern &&
           strcmp(outcome->err.code, refusal->code) == 0;
}

static bool lacks_capability(const struct refusal *refusal)
{
    return strcmp(refusal->code, "missing_capability") == 0;
}

void pending_write_refusal(const struct pending *pending, struct buf *error)
{
    const struct refusal *refusal = &pending->refusal;
    bool lacks = lacks_capability(refusal);

    buf_addf(error,
             "{\"code\":%d,\"message\":", lacks ? RPC_MISSING_CAPABILITY : RPC_INVALID_PARAMS);
    write_shown(error, refusal->text);
    if (lacks)
        buf_addf(error, ",\"data\":%s", abilities_required(refusal->kind));
    buf_addc(error, '}');
}

bool pending_answer_refusal(struct pending *pending, const struct outcome *outcome)
{
    const struct refusal *refusal = &pending->refusal;

    if (pending->cancelled || pending->parked)
        return true;
    if (!pending_refused(pending, outcome))
        return false;
    if (lacks_capability(refusal))
        reply_error(&pending->request, RPC_MISSING_CAPABILITY, abilities_required(refusal->kind),
                    "%s", refusal->text);
    else
        reply_error(&pending->request, RPC_INVALID_PARAMS, NULL, "%s", refusal->text);
    return true;
}

/* --- cancellation ------------------------------------------------------------------------ */

void pending_cancel(struct pending *pending)
{
    pending->cancelled = true;
    if (pending->call)
        call_cancel(pending->call);
}

void pending_cancel_id(struct session *session, struct str id)
{
    list_each (link, &session->calls) {
        struct pending *pending = container_of(link, struct pending, link);

        if (str_same(pending->request.id, id)) {
            pending_cancel(pending);
            return;
        }
    }
}

void session_end_calls(struct session *session)
{
    while (!list_empty(&session->calls))
        pending_cancel(container_of(session->calls.next, struct pending, link));
}
