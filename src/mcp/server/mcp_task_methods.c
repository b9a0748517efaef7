/* tools/call as a task, and tasks/get, tasks/result, tasks/list, tasks/cancel and tasks/update. */
#include "mcp/server/mcp_task_methods.h"

#include <math.h>
#include <stdio.h>

#include "mcp/server/call/mcp_task_wire.h"
#include "mcp/server/call/mcp_tasks.h"
#include "mcp/server/call/mcp_waiter.h"
#include "mcp/server/call/questions.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/abilities.h"
#include "mcp/server/request/reply.h"

static bool has_tasks(const struct session *session)
{
    return session->version && strcmp(session->version, "2025-11-25") >= 0;
}

/* --- tools/call -------------------------------------------------------------------------- */

/* params.task of 2025-11-25. False: an error was sent. */
static bool read_ttl(const struct request *request, const cJSON *task, uint64_t *ttl_ms)
{
    const cJSON *ttl = json_get(task, "ttl");

    if (!cJSON_IsObject(task)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "params.task must be an object");
        return false;
    }
    if (cJSON_IsNull(ttl)) { /* without an end: as long as there is */
        *ttl_ms = UINT64_MAX;
        return true;
    }
    if (ttl && !(cJSON_IsNumber(ttl) && ttl->valuedouble >= 1)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "params.task.ttl must be a number of milliseconds, at least 1");
        return false;
    }
    *ttl_ms = !ttl ? 0 : ttl->valuedouble < 1e15 ? (uint64_t)ceil(ttl->valuedouble) : UINT64_MAX;
    return true;
}

static bool begin_task(const struct request *request, const struct entry *entry, const cJSON *given,
                       struct mcp_task **task)
{
    struct error err;
    uint64_t ttl_ms;

    if (!read_ttl(request, given, &ttl_ms))
        return false;
    *task = mcp_task_new(request, entry, ttl_ms, &err);
    if (*task)
        mcp_task_reply_created(*task, request);
    else
        reply_error(request, RPC_INVALID_REQUEST, NULL, "%s", err.text);
    return *task != NULL;
}

/* The client asks for a task, or does not. */
static bool settle_asked(const struct request *request, const struct entry *entry,
                         struct mcp_task **task)
{
    bool known = has_tasks(request->session);
    const cJSON *given = known ? json_given(request->params, "task") : NULL;

    if (given && entry->tasks == TASKS_FORBIDDEN)
        reply_error(request, RPC_METHOD_NOT_FOUND, NULL,
                    "Tool %s does not run as a task. Call it without params.task", entry->name);
    else if (!given && entry->tasks == TASKS_REQUIRED)
        reply_error(request, RPC_METHOD_NOT_FOUND, NULL,
                    known
                        ? "Tool %s runs only as a task. Call it with params.task"
                        : "Tool %s runs only as a task. Use protocol revision 2025-11-25 or newer",
                    entry->name);
    else
        return !given || begin_task(request, entry, given, task);
    return false;
}

/* The client takes a task, or does not; whether it is one turns out. */
static bool settle_may(const struct request *request, const struct entry *entry, bool *may)
{
    bool takes = (abilities_of(request) & ABILITY_TASKS);
    struct error err;

    if (entry->tasks == TASKS_REQUIRED && !takes) {
        abilities_refuse_tasks(request);
        return false;
    }
    *may = takes && entry->tasks != TASKS_FORBIDDEN && mcp_task_room(request->session, &err);
    if (*may || entry->tasks != TASKS_REQUIRED)
        return true;
    reply_error(request, RPC_INVALID_REQUEST, NULL, "%s", err.text);
    return false;
}

bool mcp_task_settle(const struct request *request, const struct entry *entry,
                     struct mcp_task **task, bool *may)
{
    return request->modern ? settle_may(request, entry, may) : settle_asked(request, entry, task);
}

/* --- which task -------------------------------------------------------------------------- */

/* Checks that the client may use these methods. False: an error was sent. */
static bool tasks_allowed(const struct request *request)
{
    if (request->modern && !(abilities_of(request) & ABILITY_TASKS)) {
        abilities_refuse_tasks(request);
        return false;
    }
    if (request->modern || has_tasks(request->session))
        return true;
    reply_error(request, RPC_METHOD_NOT_FOUND, NULL, "Method not found: %s", request->method);
    return false;
}

/* The task that params.taskId names. NULL: an error was sent. */
static struct mcp_task *find_task(const struct request *request)
{
    const cJSON *id = json_given(request->params, "taskId");
    struct mcp_task *task;

    if (!tasks_allowed(request))
        return NULL;
    if (!cJSON_IsString(id)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s needs params.taskId, a string",
                    request->method);
        return NULL;
    }
    task = mcp_task_find(request->session, request->modern, json_string(id));
    if (!task)
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "Task not found: you have no such task, or it has expired");
    return task;
}

void method_tasks_get(struct request *request)
{
    const struct mcp_task *task = find_task(request);
    struct buf *out;

    if (!task)
        return;
    out = reply_begin(request);
    if (request->modern)
        mcp_task_write_detailed(out, task);
    else
        mcp_task_write(out, task);
    reply_end(request, out, false, NULL);
}

void method_tasks_cancel(struct request *request)
{
    struct mcp_task *task = find_task(request);
    struct buf *out;

    if (!task)
        return;
    if (mcp_task_ended(task) && !request->modern) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "The task cannot be cancelled because it has already ended");
        return;
    }
    mcp_task_cancel(task, "Cancelled by the client");
    out = reply_begin(request);
    if (!request->modern)
        mcp_task_write(out, task);
    reply_end(request, out, request->modern, NULL);
}

void method_tasks_update(struct request *request)
{
    const cJSON *responses = json_given(request->params, "inputResponses");
    struct mcp_task *task = find_task(request);
    struct error err;

    if (!task)
        return;
    if (!cJSON_IsObject(responses))
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "tasks/update needs params.inputResponses, an object of answers");
    else if (!questions_answer_task(task, responses, &err))
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
    else
        reply_end(request, reply_begin(request), true, NULL);
}

/* --- tasks/list -------------------------------------------------------------------------- */

static bool read_cursor(const struct request *request, unsigned long long *after)
{
    const cJSON *cursor = json_given(request->params, "cursor");
    char end;

    *after = 0;
    if (!cursor || (cJSON_IsString(cursor) && !*cursor->valuestring))
        return true;
    if (cJSON_IsString(cursor) && sscanf(cursor->valuestring, "t1-%llu%c", after, &end) == 1)
        return true;
    reply_error(request, RPC_INVALID_PARAMS, NULL,
                "Invalid cursor. Pass nextCursor from the previous page, or omit it");
    return false;
}

void method_tasks_list(struct request *request)
{
    const struct server *server = request->session->server;
    unsigned long long after;
    uint64_t last = 0;
    size_t count = 0;
    struct buf *out;

    if (!tasks_allowed(request) || !read_cursor(request, &after))
        return;
    out = reply_begin(request);
    buf_lit(out, "\"tasks\":[");
    list_each (link, &server->tasks) {
        const struct mcp_task *task = container_of(link, struct mcp_task, link);

        if (task->serial <= after || !mcp_task_belongs(task, request->session, false))
            continue;
        if (count++ == server->page)
            break;
        buf_adds(out, last ? ",{" : "{");
        mcp_task_write(out, task);
        buf_addc(out, '}');
        last = task->serial;
    }
    buf_addc(out, ']');
    if (count > server->page)
        buf_addf(out, ",\"nextCursor\":\"t1-%llu\"", (unsigned long long)last);
    reply_end(request, out, false, NULL);
}

/* --- tasks/result ------------------------------------------------------------------------ */

void method_tasks_result(struct request *request)
{
    struct mcp_task *task = find_task(request);

    if (!task)
        return;
    if (mcp_task_ended(task))
        mcp_task_reply_result(task, request);
    else
        mcp_waiter_add(task, request);
}
