/* Looks at a task again and again until it has ended. */
#include "mcp/client/task_poll.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/client/ask.h"
#include "mcp/client/calls.h"
#include "mcp/client/deadlines.h"
#include "mcp/client/remote_task.h"
#include "mcp/message.h"
#include "mcp/versions.h"

enum { POLL_MS = 1000, POLL_LEAST_MS = 50, POLL_MOST_MS = 60000 };

/* --- the next request -------------------------------------------------------------------- */

static bool step_task(struct client_call *call, const char *method)
{
    struct error err;

    client_task_step(call, method);
    if (client_post_again(call, &err))
        return true;
    client_finish_failed(call, err.code, "%s", err.text);
    return false;
}

static void on_poll_due(void *arg)
{
    struct client_call *call = arg;

    call->task->timer = NULL;
    call->asking = 0;
    step_task(call, "tasks/get");
}

static void wait_for_poll(struct client_call *call)
{
    call->asking = 1;
    call->task->timer =
        timer_after(call->client->timer.loop, call->task->poll_ms, on_poll_due, call);
    client_wait_until(call, call->last);
}

/* The result, and questions before it: it comes when the task ends. */
static void fetch_result(struct client_call *call)
{
    if (step_task(call, "tasks/result"))
        client_wait_until(call, call->last);
}

/* --- what it is at ----------------------------------------------------------------------- */

static uint64_t task_milliseconds(const cJSON *task, const char *name, bool modern)
{
    char *key = mem_printf("%s%s", name, modern ? "Ms" : "");
    const cJSON *value = json_given(task, key);

    free(key);
    return cJSON_IsNumber(value) && value->valuedouble >= 1 && value->valuedouble < 1e15
               ? (uint64_t)value->valuedouble
               : 0;
}

/* Both may change while it lives. */
static void take_times(struct client_call *call, const cJSON *task, bool made)
{
    bool modern = call->client->era == CLIENT_MODERN;
    uint64_t poll = task_milliseconds(task, "pollInterval", modern);
    uint64_t ttl = task_milliseconds(task, "ttl", modern);

    poll = poll ? poll : POLL_MS;
    poll = poll < POLL_LEAST_MS ? POLL_LEAST_MS : poll;
    call->task->poll_ms = poll > POLL_MOST_MS ? POLL_MOST_MS : poll;
    if (made && !call->task->bounded)
        call->last = ttl ? client_now(call->client) + ttl : CLIENT_NO_LIMIT;
}

/* False: who was told ended the call. */
static bool tell_status(struct client_call *call, const cJSON *task)
{
    const char *status = cJSON_GetStringValue(json_given(task, "status"));
    const char *message = cJSON_GetStringValue(json_given(task, "statusMessage"));
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

/* The error that it ended with; NULL: the call is over. */
static const cJSON *finish_modern(struct client_call *call, const char *status, const cJSON *task)
{
    const cJSON *result = json_given(task, "result");
    const cJSON *refusal = json_given(task, "error");

    if (strcmp(status, "failed") == 0 && cJSON_IsObject(refusal))
        return refusal;
    if (strcmp(status, "completed") == 0 && result)
        client_finish(call, &(struct client_answer){ .result = result });
    else
        client_finish_failed(call, "protocol", "the server's task is \"%.40s\" but has no result",
                             status);
    return NULL;
}

/* The error that the task ended with; NULL: it goes on, or the call is over. */
static const cJSON *follow_task(struct client_call *call, const cJSON *task)
{
    const char *status = cJSON_GetStringValue(json_given(task, "status"));
    bool modern = call->client->era == CLIENT_MODERN;

    if (!status) {
        client_finish_failed(call, "protocol", "the server's task has no status");
    } else if (strcmp(status, "working") == 0) {
        wait_for_poll(call);
    } else if (strcmp(status, "cancelled") == 0) {
        client_finish_failed(call, "cancelled", "the task was cancelled");
    } else if (!modern) {
        fetch_result(call);
    } else if (strcmp(status, "input_required") != 0) {
        return finish_modern(call, status, task);
    } else if (is_news(call, json_given(task, "inputRequests"))) {
        client_input_required(call, task);
    } else {
        wait_for_poll(call);
    }
    return NULL;
}

/* --- answers ----------------------------------------------------------------------------- */

/* The task in the answer to tools/call; NULL: it is the result of the call. */
static const cJSON *made_task(const struct client_call *call, const cJSON *result)
{
    const char *type = cJSON_GetStringValue(json_given(result, "resultType"));
    const cJSON *task;

    if (call->client->era == CLIENT_MODERN)
        return type && strcmp(type, "task") == 0 ? result : NULL;
    task = json_given(result, "task");
    return cJSON_IsObject(task) && client_wants_task(call) ? task : NULL;
}

static bool begin_task(struct client_call *call, const cJSON *result)
{
    const cJSON *task = made_task(call, result);
    const char *id = cJSON_GetStringValue(json_given(task, "taskId"));

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
    if (tell_status(call, task))
        wait_for_poll(call);
    return true;
}

bool client_task_result(struct client_call *call, const cJSON *result, const cJSON **refusal)
{
    *refusal = NULL;
    if (!call->task->id)
        return begin_task(call, result);
    if (strcmp(call->method, "tasks/result") == 0)
        return false;
    if (strcmp(call->method, "tasks/update") == 0) {
        wait_for_poll(call);
        return true;
    }
    take_times(call, result, false);
    if (tell_status(call, result))
        *refusal = follow_task(call, result);
    return true;
}

bool client_task_needed(struct client_call *call, const struct client_answer *answer)
{
    const cJSON *needs = json_given(answer->rpc_data, "requiredCapabilities");
    struct error err;

    if (answer->rpc_code != RPC_MISSING_CAPABILITY || call->task || !call->params ||
        call->client->era != CLIENT_MODERN || strcmp(call->method, "tools/call") != 0 ||
        !json_given(json_given(needs, "extensions"), MCP_TASKS))
        return false;
    call->task = mem_zero(sizeof *call->task);
    if (!client_post_again(call, &err))
        client_finish_failed(call, err.code, "%s", err.text);
    return true;
}
