/* The task that a server made of a call. */
#include "mcp/client/remote_task.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/client/client_session.h"

bool client_is_task(const struct client_call *call)
{
    return call->task && call->task->id;
}

bool client_wants_task(const struct client_call *call)
{
    const struct client *c = call->client;
    const cJSON *requests = json_given(json_given(client_capabilities(c), "tasks"), "requests");

    return call->task && !call->task->id && c->era == CLIENT_LEGACY &&
           cJSON_IsObject(json_given(json_given(requests, "tools"), "call"));
}

bool client_task_waits(const struct client_call *call)
{
    return client_is_task(call) && (call->asking || strcmp(call->method, "tasks/result") == 0);
}

void client_task_free(struct remote_task *task)
{
    if (!task)
        return;
    timer_forget(task->timer);
    buf_free(&task->answered);
    free(task->status);
    free(task->id);
    free(task);
}

char *client_task_params(const struct remote_task *task)
{
    struct buf params = { 0 };

    buf_lit(&params, "{\"taskId\":");
    json_write_string(&params, task->id, strlen(task->id));
    buf_addc(&params, '}');
    return buf_take(&params);
}

void client_task_step(struct client_call *call, const char *method)
{
    free(call->method);
    free(call->params);
    call->method = mem_strdup(method);
    call->params = client_task_params(call->task);
}

void client_task_update(struct client_call *call)
{
    client_task_step(call, "tasks/update");
}

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
