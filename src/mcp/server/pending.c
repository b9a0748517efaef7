/* Requests that run Lua: from when the call starts until its reply is out.
 *
 * One that asked its client for input is parked: it has no request then, belongs to the server, and
 * waits for the client to send the same request once more (input_required.c). */
#include <math.h>
#include <stdlib.h>

#include "base/crypto.h"
#include "mcp/server/mcp_task.h"
#include "mcp/server/session.h"
#include "script/value.h"
#include "script/vm.h"
#include "json/writer.h"

/* --- while it runs ------------------------------------------------------------ */

/* What is said of a task belongs to its session, and none of its requests. */
static struct sink *sink_of(const struct pending *pending)
{
    return pending->as_task ? pending->request.session->sink : pending->request.sink;
}

static void keep_said(struct pending *pending, const char *message)
{
    if (pending->as_task) {
        mcp_task_say(pending->as_task, message);
    } else if (pending->may_be_task) {
        free(pending->said);
        pending->said = mem_strdup(message);
    }
}

static void pending_progress(void *arg, double done, double total, const char *message)
{
    struct pending *pending = arg;
    struct sink *sink;
    struct buf *out;

    if (message && !pending->cancelled)
        keep_said(pending, message);
    if (!pending->progress_token || pending->cancelled || pending->parked)
        return;
    sink = sink_of(pending);
    out = notify_begin(sink, "notifications/progress");
    buf_addf(out, "\"progressToken\":%s,\"progress\":", pending->progress_token);
    json_write_number(out, done);
    if (!isnan(total)) {
        buf_lit(out, ",\"total\":");
        json_write_number(out, total);
    }
    if (message) {
        buf_lit(out, ",\"message\":");
        json_write_string(out, message, strlen(message));
    }
    if (pending->as_task)
        write_related_task(out, pending->as_task->id);
    notify_end(sink, out);
}

static void pending_log(void *arg, const char *level, const char *logger, lua_State *L, int data)
{
    struct pending *pending = arg;
    int threshold;

    if (pending->cancelled || pending->parked || (pending->as_task && pending->request.modern))
        return;
    threshold = pending->request.modern ? pending->log_level : pending->request.session->log_level;
    if (log_level_index(level) >= threshold)
        send_log(sink_of(pending), level, logger, L, data,
                 pending->as_task ? pending->as_task->id : NULL);
}

/* --- start and end --------------------------------------------------------------- */

void pending_attach(struct pending *pending, const struct request *request)
{
    const cJSON *meta = json_get(request->params, "_meta");
    const cJSON *token = json_get(meta, "progressToken");
    const cJSON *level = json_get(meta, MCP_META_LEVEL);

    pending->request = *request;
    pending->request.id.ptr = mem_strndup(request->id.ptr, request->id.len);
    pending->request.method = NULL;
    pending->request.params = NULL;
    pending->parked = false;
    pending->log_level = cJSON_IsString(level) && log_level_index(level->valuestring) >= 0
                             ? log_level_index(level->valuestring)
                             : LOG_LEVEL_NONE;
    pending->abilities = request->modern ? abilities_read(json_get(meta, MCP_META_CAPS))
                                         : request->session->abilities;
    if (cJSON_IsString(token) || cJSON_IsNumber(token))
        pending->progress_token = message_token(request->source, "_meta", "progressToken", token);
    if (pending->request.batch)
        batch_hold(pending->request.batch);
    sink_hold(request->sink);
    list_push(&request->session->calls, &pending->link);
}

void pending_let_go(struct pending *pending)
{
    struct sink *sink = pending->request.sink;

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

static struct pending *pending_new(const struct request *request, struct input_round *round)
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
    questions_drop(pending, false);
    timer_forget(pending->timer);
    input_round_free(&pending->round);
    buf_free(&pending->answers);
    if (pending->parked)
        pending->server->parked_count--;
    free(pending->refusal.text);
    free(pending->subject);
    free(pending->said);
    pending_let_go(pending);
    free(pending);
}

void pending_start(const struct request *request, const struct start *start, struct call_spec *spec)
{
    struct pending *pending = pending_new(request, start->round);
    struct call *call;

    pending->subject = start->subject ? mem_strdup(start->subject) : NULL;
    pending->entry = spec->entry;
    pending->may_be_task = start->may_be_task;
    spec->progress = pending_progress;
    spec->log = pending_log;
    spec->ask = pending_ask;
    spec->unask = pending_unask;
    spec->can = pending_can;
    spec->arg = pending;
    if (start->task)
        mcp_task_take(start->task, pending);
    mcp_task_expect(pending);
    call = call_start(vm_lua(registry_vm(pending->server->registry)), spec);
    if (call)
        pending->call = call;
}

bool pending_refused(const struct pending *pending, const struct outcome *outcome)
{
    const struct refusal *refusal = &pending->refusal;

    return outcome->failed && refusal->text && pending->request.modern &&
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
    json_write_string(error, refusal->text, strlen(refusal->text));
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

void session_cancel(struct session *session, const struct message *message)
{
    const cJSON *id = json_get(message->params, "requestId");
    struct str wanted;
    char *text;

    if (!cJSON_IsString(id) && !cJSON_IsNumber(id))
        return; /* a notification: nobody to tell */
    text = message_token(message->source, NULL, "requestId", id);
    wanted = str_from(text);
    list_each (link, &session->calls) {
        struct pending *pending = container_of(link, struct pending, link);

        if (str_same(pending->request.id, wanted)) {
            pending_cancel(pending);
            break;
        }
    }
    listen_cancel(session, wanted);
    mcp_waiter_cancel(session, wanted);
    free(text);
}

void session_stop_calls(struct session *session, const char *why)
{
    while (!list_empty(&session->calls)) {
        struct pending *pending = container_of(session->calls.next, struct pending, link);

        if (!pending->cancelled)
            reply_error(&pending->request, RPC_INTERNAL_ERROR, NULL, "%s", why);
        pending_cancel(pending);
    }
}

void session_end_calls(struct session *session)
{
    while (!list_empty(&session->calls))
        pending_cancel(container_of(session->calls.next, struct pending, link));
}
