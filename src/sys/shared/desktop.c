/* The desktop service, and the way of a call: task, thread, task.
 *
 * A call's memory has two owners, the parked task's stack and the worker, and ends with the
 * later one: a task may be cancelled while the thread still runs. */
#include "sys/shared/desktop.h"

#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "platform/backends.h"
#include "script/bind.h"
#include "script/vm.h"

#define CALL "perigee.desktop_call"

enum { TIMEOUT_MAX_S = 600, SPARE_MS = 200 };

const char desktop_service_key;

/* --- the service ------------------------------------------------------------------ */

struct desktop_service {
    uv_loop_t *loop;
    struct worker *worker;
    const struct platform_ops *ops; /* with the worker */
    void *shared;
    bool stopped; /* before there was a worker to be told */
};

struct desktop_service *desktop_service_new(uv_loop_t *loop)
{
    struct desktop_service *service = mem_zero(sizeof *service);

    service->loop = loop;
    return service;
}

void desktop_service_free(struct desktop_service *service)
{
    if (!service)
        return;
    worker_free(service->worker);
    if (service->shared)
        service->ops->share_free(service->shared);
    free(service);
}

static void on_stopped(void *owner)
{
    (void)owner;
    log_warn("input was stopped at the keyboard (Ctrl+Alt+Esc); it is refused until it is allowed");
}

struct worker *desktop_worker(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);
    struct worker_options options = { .stopped = on_stopped };

    if (!service) {
        error_set(err, "not_supported", "no desktop is reachable from here");
        return NULL;
    }
    if (service->worker)
        return service->worker;
    service->ops = platform_native(err);
    if (!service->ops)
        return NULL;
    if (service->ops->share_new)
        service->shared = service->ops->share_new();
    options.ops = service->ops;
    options.shared = service->shared;
    options.owner = service;
    service->worker = worker_new(service->loop, &options);
    if (service->stopped)
        worker_stop_input(service->worker);
    return service->worker;
}

int desktop_service_stop(struct desktop_service *service)
{
    service->stopped = true;
    return service->worker ? worker_stop_input(service->worker) : 0;
}

void desktop_service_allow(struct desktop_service *service)
{
    service->stopped = false;
    if (service->worker)
        worker_allow_input(service->worker);
}

bool desktop_service_stopped(const struct desktop_service *service)
{
    return service->worker ? worker_input_stopped(service->worker) : service->stopped;
}

void desktop_input_stop(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    if (service)
        desktop_service_stop(service);
}

void desktop_input_allow(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    if (service)
        desktop_service_allow(service);
}

bool desktop_input_stopped(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    return service && desktop_service_stopped(service);
}

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
    bind_metatable(L, CALL, meta, NULL);
    luaL_setmetatable(L, CALL);
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

/* A job that was given up still runs: its results are left to its thread. */
static void job_done(struct job *job, const struct error *err)
{
    struct desktop_call *call = container_of(job, struct desktop_call, job);
    struct desktop_pending *pending = call->pending;

    pending->failed = err != NULL;
    if (err)
        pending->err = *err;
    task_wake(&pending->op, 0);
}

/* --- the task's side -------------------------------------------------------------- */

static void pending_cancel(struct op *op)
{
    struct desktop_pending *pending = container_of(op, struct desktop_pending, op);

    worker_cancel(pending->worker, &pending->call->job);
}

static int finish(lua_State *L, int status, lua_KContext context)
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
    call_release(pending->call); /* large results do not wait for the collector */
    pending->call = NULL;
    return results;
}

/* The task ends a little later than its last call, so that it can say what went wrong. */
static uint64_t time_of(lua_State *L, struct task *task, int options, double seconds)
{
    double left = task_remaining(task) * 1000;
    double ms = seconds * 1000;

    if (options && lua_istable(L, options))
        ms = bind_number(L, options, "timeout", seconds, 0.001, TIMEOUT_MAX_S) * 1000;
    if (left >= 0 && left < ms + SPARE_MS)
        ms = left > 2.0 * SPARE_MS ? left - SPARE_MS : left / 2;
    return ms < 1 ? 1 : (uint64_t)ceil(ms);
}

int desktop_call_start(lua_State *L, int options, double seconds)
{
    struct task *task = task_here(L);
    struct desktop_pending *pending = luaL_checkudata(L, -1, CALL);
    struct desktop_call *call = pending->call;
    int at = lua_gettop(L);

    call->wait_ms = time_of(L, task, options, seconds);
    pending->worker = desktop_worker(L, &pending->err);
    if (!pending->worker)
        return bind_error(L, &pending->err);
    call->job = (struct job){ .queue = call->queue,
                              .timeout_ms = call->wait_ms,
                              .run = job_run,
                              .done = job_done,
                              .destroy = job_destroy };
    call->pending = pending;
    atomic_fetch_add(&call->refs, 1);
    pending->op = (struct op){ task, pending_cancel };
    if (!worker_start(pending->worker, &call->job, &pending->err))
        return bind_error(L, &pending->err);
    return task_park_then(L, &pending->op, at, finish);
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

/* --- values ----------------------------------------------------------------------- */

/* A field that has to be an integer. */
static uint64_t whole(lua_State *L, int arg, const char *name)
{
    lua_Integer value;
    int ok;

    lua_pushstring(L, name);
    lua_rawget(L, arg);
    value = lua_tointegerx(L, -1, &ok);
    if (!ok || lua_type(L, -1) != LUA_TNUMBER)
        bind_field_error(L, arg, name,
                         lua_pushfstring(L, "whole number expected, got %s", luaL_typename(L, -1)));
    lua_pop(L, 1);
    return (uint64_t)value;
}

struct window_ref desktop_check_app(lua_State *L, int arg)
{
    struct window_ref ref = { 0 };
    uint64_t pid;

    luaL_checktype(L, arg, LUA_TTABLE);
    pid = whole(L, arg, "pid");
    if (pid > INT_MAX)
        bind_field_error(L, arg, "pid", "it is no process id");
    ref.pid = (int)pid;
    ref.started = whole(L, arg, "started");
    return ref;
}

struct window_ref desktop_check_window(lua_State *L, int arg)
{
    struct window_ref ref = desktop_check_app(L, arg);

    ref.id = whole(L, arg, "id");
    return ref;
}

double desktop_check_coordinate(lua_State *L, int arg)
{
    double value = luaL_checknumber(L, arg);

    if (!(fabs(value) <= DESKTOP_COORDINATE_MAX))
        luaL_argerror(
            L, arg,
            lua_pushfstring(L, "expected at most %d points either way", DESKTOP_COORDINATE_MAX));
    return value;
}

static double rect_field(lua_State *L, int arg, const char *name, double min)
{
    double value = bind_number(L, arg, name, NAN, min, DESKTOP_COORDINATE_MAX);

    if (isnan(value))
        bind_field_error(L, arg, name, "it is missing");
    return value;
}

struct rect desktop_check_rect(lua_State *L, int arg)
{
    luaL_checktype(L, arg, LUA_TTABLE);
    return (struct rect){ .x = rect_field(L, arg, "x", -DESKTOP_COORDINATE_MAX),
                          .y = rect_field(L, arg, "y", -DESKTOP_COORDINATE_MAX),
                          .width = rect_field(L, arg, "width", 1),
                          .height = rect_field(L, arg, "height", 1) };
}

void desktop_set_integer(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void desktop_push_number(lua_State *L, double value)
{
    lua_Integer integer;

    if (lua_numbertointeger(value, &integer) && (double)integer == value)
        lua_pushinteger(L, integer);
    else
        lua_pushnumber(L, value);
}

void desktop_set_number(lua_State *L, const char *name, double value)
{
    desktop_push_number(L, value);
    lua_setfield(L, -2, name);
}

void desktop_set_flag(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void desktop_set_text(lua_State *L, const char *name, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

void desktop_push_rect(lua_State *L, struct rect rect)
{
    lua_createtable(L, 0, 4); /* rect */
    desktop_set_number(L, "x", rect.x);
    desktop_set_number(L, "y", rect.y);
    desktop_set_number(L, "width", rect.width);
    desktop_set_number(L, "height", rect.height);
}
