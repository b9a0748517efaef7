/* The way of a call: task, thread, task.
 *
 * A call's memory has two owners, the parked task's stack and the thread, and ends with the later
 * one: a task may be cancelled while the thread still runs. */
#include "sys/shared/thread_call.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "json/line.h"
#include "script/bind.h"
#include "script/vm.h"
#include "sys/shared/desktop_service.h"

#define WAIT "sys.thread_call"

enum { DESKTOP_TIMEOUT_MAX_S = 600, SPARE_MS = 200 };

/* --- a call's memory -------------------------------------------------------------- */

/* The task's side; a userdata on its stack. */
struct thread_wait {
    struct op op;
    struct thread_call *call; /* NULL: released */
    struct worker *worker;    /* NULL: the call is on the pool or in a queue */
    bool queued;              /* in a queue */
};

static void call_release(struct thread_call *call)
{
    if (atomic_fetch_sub(&call->refs, 1) != 1)
        return;
    if (call->clear)
        call->clear(call);
    free(call);
}

static void wait_release(struct thread_wait *wait)
{
    if (wait->call)
        call_release(wait->call);
    wait->call = NULL;
}

static int wait_gc(lua_State *L)
{
    wait_release(lua_touserdata(L, 1));
    return 0;
}

void *thread_call_new(lua_State *L, size_t size, void (*clear)(struct thread_call *call))
{
    static const luaL_Reg meta[] = { { "__gc", wait_gc }, { NULL, NULL } };
    struct thread_wait *wait = lua_newuserdatauv(L, sizeof *wait, 0); /* wait */
    struct thread_call *call;

    *wait = (struct thread_wait){ .call = NULL };
    if (luaL_getmetatable(L, WAIT) == LUA_TNIL)
        bind_metatable(L, WAIT, meta, NULL);
    lua_pop(L, 1);
    luaL_setmetatable(L, WAIT);
    call = wait->call = mem_zero(size);
    call->clear = clear;
    call->wait = wait;
    call->refs = 1;
    return call;
}

/* --- the task's side -------------------------------------------------------------- */

static void wait_cancel(struct op *op)
{
    struct thread_wait *wait = container_of(op, struct thread_wait, op);
    struct thread_call *call = wait->call;

    call->wait = NULL;
    atomic_store(&call->left, true);
    if (wait->worker)
        worker_cancel(wait->worker, &call->job);
    else if (!wait->queued)
        uv_cancel((uv_req_t *)&call->req); /* on_pool_done() comes in any case */
    wait_release(wait);
}

static int finish_call(lua_State *L, int status, lua_KContext context)
{
    struct thread_wait *wait = (struct thread_wait *)context;
    struct thread_call *call = wait->call;
    int results = 1;

    (void)status;
    if (!call->ok)
        results = call->fail ? call->fail(L, call) : bind_error(L, &call->err);
    else if (call->push)
        results = call->push(L, call);
    else
        lua_pushboolean(L, 1);
    wait_release(wait); /* frees large results before the collector does */
    return results;
}

/* Parks the task for a call that its thread owns as well. */
static int park_for(lua_State *L, struct thread_call *call)
{
    return task_park_then(L, &call->wait->op, (lua_KContext)call->wait, finish_call);
}

/* --- on the pool ------------------------------------------------------------------ */

static void run_in_pool(uv_work_t *req)
{
    struct thread_call *call = container_of(req, struct thread_call, req);

    call->ok = call->run(call, &call->err);
}

static void on_pool_done(uv_work_t *req, int status)
{
    struct thread_call *call = container_of(req, struct thread_call, req);
    bool more = call->ok && call->more;

    (void)status; /* UV_ECANCELED: no task waits */
    call->more = false;
    if (call->wait && more) {
        uv_queue_work(req->loop, req, run_in_pool, on_pool_done);
        return;
    }
    if (call->wait)
        task_wake(&call->wait->op, 0);
    call_release(call);
}

int thread_call_in_pool(lua_State *L, struct thread_call *call)
{
    call->wait->op = (struct op){ task_here(L), wait_cancel, "work on another thread", NULL };
    atomic_fetch_add(&call->refs, 1);
    uv_queue_work(vm_loop(vm_of(L)), &call->req, run_in_pool, on_pool_done);
    return park_for(L, call);
}

/* --- in a queue ------------------------------------------------------------------- */

static void run_in_queue(struct serial_job *job)
{
    struct thread_call *call = container_of(job, struct thread_call, serial);

    call->ok = call->run(call, &call->err);
}

static void on_queue_done(struct serial_job *job)
{
    struct thread_call *call = container_of(job, struct thread_call, serial);

    if (call->wait)
        task_wake(&call->wait->op, 0);
    call_release(call);
}

int thread_call_in_queue(lua_State *L, struct thread_call *call, struct serial_queue *queue)
{
    call->wait->op = (struct op){ task_here(L), wait_cancel, "a database", NULL };
    call->wait->queued = true;
    call->serial = (struct serial_job){ .run = run_in_queue, .done = on_queue_done };
    atomic_fetch_add(&call->refs, 1);
    serial_queue_add(queue, &call->serial);
    return park_for(L, call);
}

/* --- on the desktop --------------------------------------------------------------- */

static bool job_run(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                    struct deadline *deadline, struct error *err)
{
    struct thread_call *call = container_of(job, struct thread_call, job);

    call->ops = ops;
    call->desktop = desktop;
    call->deadline = deadline;
    return call->run(call, err);
}

static void job_destroy(struct job *job)
{
    call_release(container_of(job, struct thread_call, job));
}

/* Wakes the task. If a job was given up and still runs, its results are left to its thread. */
static void job_done(struct job *job, const struct error *err)
{
    struct thread_call *call = container_of(job, struct thread_call, job);

    call->ok = !err;
    if (err) {
        call->err = *err;
        line_clean_string(call->err.text); /* the text may quote the title of a window */
    }
    if (job->hung)
        call->fail = NULL;
    task_wake(&call->wait->op, 0);
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

int thread_call_on_desktop(lua_State *L, struct thread_call *call, int options, double seconds)
{
    struct task *task = task_here(L);
    struct thread_wait *wait = call->wait;

    call->job = (struct job){ .queue = call->queue,
                              .elements = call->elements,
                              .pid = call->pid,
                              .timeout_ms = call_time(L, task, options, seconds),
                              .acts = call->acts,
                              .run = job_run,
                              .done = job_done,
                              .destroy = job_destroy };
    wait->worker = desktop_worker(L, &call->err);
    if (!wait->worker)
        return bind_error(L, &call->err);
    wait->op = (struct op){ task, wait_cancel, "the desktop", NULL };
    atomic_fetch_add(&call->refs, 1);
    if (!worker_start(wait->worker, &call->job, &call->err))
        return bind_error(L, &call->err);
    return park_for(L, call);
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
