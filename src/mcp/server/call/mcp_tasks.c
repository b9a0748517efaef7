/* Owners of tasks, and their limits. */
#include "mcp/server/call/mcp_tasks.h"

#include "base/crypto.h"

bool mcp_task_ended(const struct mcp_task *task)
{
    return task->status >= MCP_TASK_COMPLETED;
}

static bool same_who(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool task_is_owned(const struct mcp_task *task, const struct session *session)
{
    return task->session ? task->session == session
                         : session->stateless && same_who(task->who, session->who);
}

bool mcp_task_belongs(const struct mcp_task *task, const struct session *session, bool modern)
{
    return task->modern == modern && task_is_owned(task, session);
}

struct mcp_task *mcp_task_find(const struct session *session, bool modern, struct str id)
{
    list_each (link, &session->server->tasks) {
        struct mcp_task *task = container_of(link, struct mcp_task, link);

        if (mcp_task_belongs(task, session, modern) && crypto_same(str_from(task->id), id))
            return task;
    }
    return NULL;
}

bool mcp_tasks_running(const struct session *session)
{
    list_each (link, &session->server->tasks) {
        const struct mcp_task *task = container_of(link, struct mcp_task, link);

        if (task->session == session && !mcp_task_ended(task))
            return true;
    }
    return false;
}

/* --- bounds ------------------------------------------------------------------------------ */

struct usage {
    size_t all, running, bytes;
};

static size_t task_bytes(const struct mcp_task *task)
{
    return task->result.len + task->meta.len + task->error.len;
}

static void add_usage(struct usage *usage, const struct mcp_task *task)
{
    usage->all++;
    usage->running += !mcp_task_ended(task);
    usage->bytes += task_bytes(task);
}

/* By all, and by the session's owner. */
static void count_usage(const struct session *session, struct usage *total, struct usage *own)
{
    *total = *own = (struct usage){ 0 };
    list_each (link, &session->server->tasks) {
        const struct mcp_task *task = container_of(link, struct mcp_task, link);

        add_usage(total, task);
        if (task_is_owned(task, session))
            add_usage(own, task);
    }
}

bool mcp_task_room(const struct session *session, struct error *err)
{
    struct usage total, own;

    count_usage(session, &total, &own);
    if (own.running >= MCP_TASKS_OWNED_RUNNING)
        return error_set(err, "too_many_tasks",
                         "%d of your tasks are already running. Wait for one to end, or cancel one",
                         MCP_TASKS_OWNED_RUNNING);
    if (own.all >= MCP_TASKS_OWNED)
        return error_set(err, "too_many_tasks",
                         "%d of your tasks are already kept. Request a shorter ttl, or wait until "
                         "an earlier one expires",
                         MCP_TASKS_OWNED);
    if (total.running >= MCP_TASKS_RUNNING || total.all >= MCP_TASKS_ALL)
        return error_set(err, "too_many_tasks",
                         "the server's task limit is reached. Try again later");
    return true;
}

size_t mcp_task_excess(const struct mcp_task *task, bool *own_excess)
{
    struct usage total = { 0 }, own = { 0 };

    list_each (link, &task->server->tasks) {
        const struct mcp_task *other = container_of(link, struct mcp_task, link);

        add_usage(&total, other);
        if (other->session == task->session && same_who(other->who, task->who))
            add_usage(&own, other);
    }
    *own_excess = own.bytes > MCP_TASKS_OWNED_BYTES;
    return *own_excess || total.bytes > MCP_TASKS_BYTES ? task_bytes(task) : 0;
}
