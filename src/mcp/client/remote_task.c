/* A call that is a task of the server: looks at it again and again until it has ended.
 *
 * 2025-11-25: the call asks for a task, tasks/get is how it is, and tasks/result has the result,
 * and before that, as requests of the server, its questions. Since 2026-07-28 the server decides,
 * and all is in what tasks/get answers; tasks/update brings answers. One struct client_call goes
 * through all of these requests, under a new id each time. */
#include <math.h>
#include <stdlib.h>

#include "mcp/client/client_impl.h"
#include "mcp/message.h"
#include "mcp/versions.h"
#include "json/writer.h"

enum { POLL_MS = 1000, POLL_LEAST_MS = 50, POLL_MOST_MS = 60000 };

bool client_is_task(const struct client_call *call)
{
    return call->task && call->task->id;
}

/* Has the server said that it takes tools/call as a task (2025-11-25)? */
bool client_wants_task(const struct client_call *call)
{
    const struct client *c = call->client;
    const cJSON *requests = json_get(json_get(client_capabilities(c), "tasks"), "requests");

    return call->task && !call->task->id && c->era == CLIENT_LEGACY &&
           cJSON_IsObject(json_get(json_get(requests, "tools"), "call"));
}

void client_task_free(struct client_task *task)
{
    if (!task)
        return;
    timer_forget(task->timer);
    buf_free(&task->answered);
    free(task->status);
    free(task->id);
    free(task);
}

/* --- the next request ------------------------------------------------------------------------- */

static char *task_params(const struct client_task *task)
{
    struct buf params = { 0 };

    buf_lit(&params, "{\"taskId\":");
    json_write_string(&params, task->id, strlen(task->id));
    buf_addc(&params, '}');
    return buf_take(&params);
}

static void set_step(struct client_call *call, const char *method)
{
    free(call->method);
    free(call->params);
    call->method = mem_strdup(method);
    call->params = task_params(call->task);
}

static bool step(struct client_call *call, const char *method)
{
    struct error err;

    set_step(call, method);
    if (client_post_again(call, &err))
        return true;
    client_finish_failed(call, err.code, "%s", err.text);
    return false;
}

static void on_poll(void *arg)
{
    struct client_call *call = arg;

    call->task->timer = NULL;
    call->asking = 0;
    step(call, "tasks/get");
}

static void rest(struct client_call *call)
{
    call->asking = 1;
    call->task->timer = timer_after(call->client->timer.loop, call->task->poll_ms, on_poll, call);
    client_wait_until(call, call->last);
}

/* The result, and questions before it: it comes when the task ends. */
static void fetch(struct client_call *call)
{
    if (step(call, "tasks/result"))
        client_wait_until(call, call->last);
}

bool client_task_waits(const struct client_call *call)
{
    return client_is_task(call) && (call->asking || strcmp(call->method, "tasks/result") == 0);
}

void client_task_update(struct client_call *call)
{
    set_step(call, "tasks/update");
}

void client_task_abandon(struct client_call *call)
{
    struct client *c = call->client;
    struct error err;
    char *params;

    if (!client_is_task(call) || c->state != CLIENT_READY)
        return;
    params = task_params(call->task);
    call->responses.len = 0;
    c->out.len = 0;
    buf_lit(&c->out, "{\"jsonrpc\":\"2.0\",\"id\":");
    json_write_integer(&c->out, ++c->last_id); /* nobody waits for the answer */
    buf_lit(&c->out, ",\"method\":\"tasks/cancel\"");
    if (client_write_params(c, &c->out, call, params, &err)) {
        buf_addc(&c->out, '}');
        client_send(c, "tasks/cancel", c->last_id, &err);
    }
    free(params);
    free(call->task->id); /* once is enough */
    call->task->id = NULL;
}

/* --- what it is at ---------------------------------------------------------------------------- */

static char *asked_line(const char *name)
{
    return mem_printf("\n%s\n", name);
}

bool client_task_asked(const struct client_call *call, const char *name)
{
    char *line;
    bool found;

    if (!client_is_task(call) || !call->task->answered.len)
        return false;
    line = asked_line(name);
    found = strstr(buf_text(&call->task->answered), line);
    free(line);
    return found;
}

void client_task_note(struct client_call *call, const char *name)
{
    char *line;

    if (!client_is_task(call))
        return;
    line = asked_line(name);
    buf_adds(&call->task->answered, line);
    free(line);
}

static uint64_t milliseconds(const cJSON *task, const char *name, bool modern)
{
    char *key = mem_printf("%s%s", name, modern ? "Ms" : "");
    const cJSON *value = json_get(task, key);

    free(key);
    return cJSON_IsNumber(value) && value->valuedouble >= 1 && value->valuedouble < 1e15
               ? (uint64_t)value->valuedouble
               : 0;
}

/* Both may change while it lives. */
static void take_times(struct client_call *call, const cJSON *task, bool made)
{
    bool modern = call->client->era == CLIENT_MODERN;
    uint64_t poll = milliseconds(task, "pollInterval", modern);
    uint64_t ttl = milliseconds(task, "ttl", modern);

    poll = poll ? poll : POLL_MS;
    poll = poll < POLL_LEAST_MS ? POLL_LEAST_MS : poll;
    call->task->poll_ms = poll > POLL_MOST_MS ? POLL_MOST_MS : poll;
    if (made && !call->task->bounded)
        call->last = ttl ? client_now(call->client) + ttl : CLIENT_NO_LIMIT;
}

/* False: who was told ended the call. */
static bool tell(struct client_call *call, const cJSON *task)
{
    const char *status = cJSON_GetStringValue(json_get(task, "status"));
    const char *message = cJSON_GetStringValue(json_get(task, "statusMessage"));
    struct client *c = call->client;
    int64_t id = call->id;
    char *now = mem_printf("%s %s", status ? status : "", message ? message : "");
    bool news = !call->task->status || strcmp(call->task->status, now) != 0;

    free(call->task->status);
    call->task->status = now;
    if (!news || !status || !call->on.status)
        return true;
    call->on.status(call->arg, status, message);
    return !c->freed && client_find(c, id) == call;
}

static bool is_news(const struct client_call *call, const cJSON *requests)
{
    const cJSON *request;

    cJSON_ArrayForEach (request, requests)
        if (!client_task_asked(call, request->string))
            return true;
    return false;
}

static void finish_modern(struct client_call *call, const char *status, const cJSON *task)
{
    const cJSON *result = json_get(task, "result");
    const cJSON *refusal = json_get(task, "error");

    if (strcmp(status, "completed") == 0 && result)
        client_finish(call, &(struct client_answer){ .result = result });
    else if (strcmp(status, "failed") == 0 && cJSON_IsObject(refusal))
        client_finish_refused(call, refusal, 0);
    else
        client_finish_failed(call, "protocol",
                             "the server says that its task is \"%.40s\", and not what came of it",
                             status);
}

static void follow(struct client_call *call, const cJSON *task)
{
    const char *status = cJSON_GetStringValue(json_get(task, "status"));
    bool modern = call->client->era == CLIENT_MODERN;

    if (!status) {
        client_finish_failed(call, "protocol", "the server's task has no status");
    } else if (strcmp(status, "working") == 0) {
        rest(call);
    } else if (strcmp(status, "cancelled") == 0) {
        client_finish_failed(call, "cancelled", "the task was cancelled");
    } else if (!modern) {
        fetch(call);
    } else if (strcmp(status, "input_required") != 0) {
        finish_modern(call, status, task);
    } else if (is_news(call, json_get(task, "inputRequests"))) {
        client_input_required(call, task);
    } else {
        rest(call);
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

/* The task in the answer to tools/call; NULL: it is the result of the call. */
static const cJSON *made_task(const struct client_call *call, const cJSON *result)
{
    const char *type = cJSON_GetStringValue(json_get(result, "resultType"));
    const cJSON *task;

    if (call->client->era == CLIENT_MODERN)
        return type && strcmp(type, "task") == 0 ? result : NULL;
    task = json_get(result, "task");
    return cJSON_IsObject(task) && client_wants_task(call) ? task : NULL;
}

static bool begin(struct client_call *call, const cJSON *result)
{
    const cJSON *task = made_task(call, result);
    const char *id = cJSON_GetStringValue(json_get(task, "taskId"));

    if (!task)
        return false;
    if (!id) {
        client_finish_failed(call, "protocol", "the server made a task without a taskId");
        return true;
    }
    call->task->id = mem_strdup(id);
    free(call->state);
    call->state = NULL;
    call->responses.len = 0;
    call->rounds = 0;
    take_times(call, task, true);
    if (tell(call, task))
        rest(call);
    return true;
}

bool client_task_result(struct client_call *call, const cJSON *result)
{
    if (!call->task->id)
        return begin(call, result);
    if (strcmp(call->method, "tasks/result") == 0)
        return false;
    if (strcmp(call->method, "tasks/update") == 0) {
        rest(call);
        return true;
    }
    take_times(call, result, false);
    if (tell(call, result))
        follow(call, result);
    return true;
}

bool client_task_needed(struct client_call *call, const struct client_answer *answer)
{
    const cJSON *needs = json_get(answer->rpc_data, "requiredCapabilities");
    struct error err;

    if (answer->rpc_code != RPC_MISSING_CAPABILITY || call->task || !call->params ||
        call->client->era != CLIENT_MODERN || strcmp(call->method, "tools/call") != 0 ||
        !json_get(json_get(needs, "extensions"), MCP_TASKS))
        return false;
    call->task = mem_zero(sizeof *call->task);
    if (!client_post_again(call, &err))
        client_finish_failed(call, err.code, "%s", err.text);
    return true;
}
