/* The way of a call: task, thread, task.
 *
 * A call's memory has two owners, the parked task's stack and the worker, and ends with the
 * later one: a task may be cancelled while the thread still runs. */
#include "sys/shared/desktop_call.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "json/line.h"
#include "script/bind.h"
#include "sys/shared/desktop_service.h"

#define CALL_TYPE "perigee.desktop_call"

enum { DESKTOP_TIMEOUT_MAX_S = 600, SPARE_MS = 200 };

/* --- a call's memory -------------------------------------------------------------- */

/* The task's side; a userdata on its stack. */
struct desktop_pending {
    struct op op;
    struct worker *worker;
    struct desktop_call *call; /* NULL: released */
    bool started, failed;
    struct error err;
};

static void call_release(struct desktop_call *call)
{
    if (atomic_fetch_sub(&call->refs, 1) != 1)
        return;
    if (call->clear)
        call->clear(call);
    free(call);
}

static int pending_gc(lua_State *L)
{
    struct desktop_pending *pending = lua_touserdata(L, 1);

    if (pending->call)
        call_release(pending->call);
    pending->call = NULL;
    return 0;
}

void *desktop_call_new(lua_State *L, size_t size)
{
    static const luaL_Reg meta[] = { { "__gc", pending_gc }, { NULL, NULL } };
    struct desktop_pending *pending = lua_newuserdatauv(L, sizeof *pending, 0); /* pending */

    *pending = (struct desktop_pending){ 0 };
    bind_metatable(L, CALL_TYPE, meta, NULL);
    luaL_setmetatable(L, CALL_TYPE);
    pending->call = mem_zero(size);
    pending->call->refs = 1;
    return pending->call;
}

/* --- the worker's side ------------------------------------------------------------ */

static bool job_run(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                    struct deadline *deadline, struct error *err)
{
    struct desktop_call *call = container_of(job, struct desktop_call, job);

    return call->run(call, ops, desktop, deadline, err);
}

static void job_destroy(struct job *job)
{
    call_release(container_of(job, struct desktop_call, job));
}

/* Wakes the task. If a job was given up and still runs, its results are left to its thread. */
static void job_done(struct job *job, const struct error *err)
{
    struct desktop_call *call = container_of(job, struct desktop_call, job);
    struct desktop_pending *pending = call->pending;

    pending->failed = err != NULL;
    if (err) {
        pending->err = *err;
        line_clean_string(pending->err.text); /* the text may quote the title of a window */
    }
    task_wake(&pending->op, 0);
}

/* --- the task's side -------------------------------------------------------------- */

static void pending_cancel(struct op *op)
{
    struct desktop_pending *pending = container_of(op, struct desktop_pending, op);

    worker_cancel(pending->worker, &pending->call->job);
}

static int finish_desktop_call(lua_State *L, int status, lua_KContext context)
{
    struct desktop_pending *pending = lua_touserdata(L, (int)context);
    int results;

    (void)status;
    if (pending->failed && pending->call->fail && !pending->call->job.hung)
        results = bind_error(L, &pending->err) + pending->call->fail(L, pending->call);
    else if (pending->failed)
        results = bind_error(L, &pending->err);
    else
        results = pending->call->push(L, pending->call);
    call_release(pending->call); /* frees large results before the collector does */
    pending->call = NULL;
    return results;
}

/* The time of the call in milliseconds. The task ends a little later than its last call, so that it
 * can say what went wrong. */
static uint64_t call_time(lua_State *L, struct task *task, int options, double seconds)
{
    double left = task_remaining(task) * 1000;
    double ms = seconds * 1000;

    if (options && lua_istable(L, options))
        ms = bind_number(L, options, "timeout", seconds, 0.001, DESKTOP_TIMEOUT_MAX_S) * 1000;
    if (left >= 0 && left < ms + SPARE_MS)
        ms = left > 2.0 * SPARE_MS ? left - SPARE_MS : left / 2;
    return ms < 1 ? 1 : (uint64_t)ceil(ms);
}

int desktop_call_start(lua_State *L, int options, double seconds)
{
    struct task *task = task_here(L);
    struct desktop_pending *pending = luaL_checkudata(L, -1, CALL_TYPE);
    struct desktop_call *call = pending->call;
    int at = lua_gettop(L);

    call->wait_ms = call_time(L, task, options, seconds);
    pending->worker = desktop_worker(L, &pending->err);
    if (!pending->worker)
        return bind_error(L, &pending->err);
    call->job = (struct job){ .queue = call->queue,
                              .elements = call->elements,
                              .pid = call->pid,
                              .timeout_ms = call->wait_ms,
                              .acts = call->acts,
                              .run = job_run,
                              .done = job_done,
                              .destroy = job_destroy };
    call->pending = pending;
    atomic_fetch_add(&call->refs, 1);
    pending->op = (struct op){ task, pending_cancel, "the desktop", NULL };
    if (!worker_start(pending->worker, &call->job, &pending->err))
        return bind_error(L, &pending->err);
    return task_park_then(L, &pending->op, at, finish_desktop_call);
}

void desktop_check_options(lua_State *L, int options, const char *const *names)
{
    if (lua_isnoneornil(L, options)) {
        lua_settop(L, lua_gettop(L) < options ? options : lua_gettop(L));
        lua_newtable(L);
        lua_replace(L, options);
    }
    bind_check_fields(L, options, names);
}
