/* sys.task.spawn -- a task alongside the one that makes it, and ended with it.
 *
 * Its handle keeps its results, or its error, for whoever joins it. The registry keeps the handle
 * while the task runs. An error that nobody has joined goes to the log once nobody can join it:
 * when the task that made it ends, or the handle is collected. */
#include "sys/task/spawn.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/timer.h"
#include "script/bind.h"
#include "script/task.h"
#include "script/vm.h"

#define CHILD "sys.task.Task"

enum { TASKS_MAX = 256, JOIN_SECONDS_MAX = 86400 };

struct child {
    struct task_hook hook; /* runs at the end of the task that made it */
    struct task *task;     /* NULL: it has ended */
    struct link joins;     /* struct join: tasks that wait for its end */
    int ref;               /* this userdata in the registry, while it runs */
    enum task_end end;
    bool heard; /* somebody was given the error, or the log has it */
    struct error err;
    char *traceback; /* owned; or NULL */
    char name[64];
};

/* The wait of a task that joins. It lies on that task's stack. */
struct join {
    struct op op;
    struct link link;
    struct timer *timer; /* NULL: no limit, or it is over */
};

enum { AT_RESULTS = 1 }; /* the user value, { n =, results... } */

static struct child *check_child(lua_State *L)
{
    return luaL_checkudata(L, 1, CHILD);
}

/* --- the end of a task ------------------------------------------------------------- */

static void log_error_once(struct child *child)
{
    if (child->task || child->end != TASK_FAILED || child->heard)
        return;
    child->heard = true;
    log_warn("%s: a task failed that no other one joined: %s", child->name,
             child->traceback ? child->traceback : child->err.text);
}

/* Called with (child, results...). */
static int keep_results(lua_State *L)
{
    int count = lua_gettop(L) - 1;

    lua_createtable(L, count, 1);
    lua_insert(L, 2); /* child, t, results... */
    for (int i = count; i; i--)
        lua_rawseti(L, 2, i);
    lua_pushinteger(L, count);
    lua_setfield(L, 2, "n");
    lua_setiuservalue(L, 1, AT_RESULTS);
    return 0;
}

/* Keeps the results. False: err, and they are lost. */
static bool take_results(struct child *child, struct task *task, int count, struct error *err)
{
    lua_State *from = task_lua(task);
    struct vm *vm = vm_of(from);
    lua_State *L = vm_lua(vm);

    if (!lua_checkstack(L, count + LUA_MINSTACK))
        return error_set(err, "memory", "not enough memory for what it returned");
    lua_pushcfunction(L, keep_results);
    lua_rawgeti(L, LUA_REGISTRYINDEX, child->ref);
    lua_xmove(from, L, count);
    return vm_call(vm, count + 1, 0, 0, err);
}

static void wake_joins(struct child *child)
{
    struct link *link;

    while ((link = list_pop(&child->joins))) {
        struct join *join = container_of(link, struct join, link);

        timer_forget(join->timer);
        join->timer = NULL;
        task_wake(&join->op, 0);
    }
}

static void on_child_task_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct child *child = arg;

    child->task = NULL;
    child->end = end;
    if (end == TASK_FAILED)
        task_error(task, &child->err, &child->traceback);
    else if (end != TASK_DONE)
        task_end_error(task, end, &child->err);
    else if (!take_results(child, task, nresults, &child->err))
        child->end = TASK_FAILED;
    if (child->end != TASK_FAILED)
        list_remove(&child->hook.link);
    wake_joins(child);
    luaL_unref(task_lua(task), LUA_REGISTRYINDEX, child->ref);
    child->ref = LUA_NOREF;
}

/* Called at the end of the task that made it. */
static void on_parent_end(struct task_hook *hook)
{
    struct child *child = container_of(hook, struct child, hook);

    if (child->task)
        task_cancel(child->task); /* the last use of `child`, which may be collected now */
    else
        log_error_once(child);
}

static int task_child_gc(lua_State *L)
{
    struct child *child = check_child(L);

    list_remove(&child->hook.link);
    log_error_once(child);
    free(child->traceback);
    child->traceback = NULL;
    return 0;
}

/* --- the beginning of a task ----------------------------------------------------- */

static struct child *push_child(lua_State *L, struct task *here)
{
    struct child *child = lua_newuserdatauv(L, sizeof *child, AT_RESULTS);

    *child = (struct child){ .hook.fn = on_parent_end, .ref = LUA_NOREF };
    list_init(&child->hook.link);
    list_init(&child->joins);
    snprintf(child->name, sizeof child->name, "%s", task_name(here));
    luaL_setmetatable(L, CHILD);
    return child;
}

/* sys.task.spawn(fn, ...) -> handle | nil, text, code */
int task_spawn(lua_State *L)
{
    int nargs = lua_gettop(L) - 1;
    struct task *here = task_here(L);
    struct child *child;
    struct error err;

    luaL_checktype(L, 1, LUA_TFUNCTION);
    if (task_beside(here) >= TASKS_MAX)
        return bind_fail(
            L, "too_many_tasks",
            "%s has %d tasks, the most that one call may have at once. Join some first",
            task_name(here), TASKS_MAX);
    child = push_child(L, here); /* fn, args..., child */
    lua_insert(L, 1);            /* child, fn, args... */
    lua_pushvalue(L, 1);
    child->ref = luaL_ref(L, LUA_REGISTRYINDEX);
    child->task = task_new(L, nargs,
                           &(struct task_spec){ .name = child->name,
                                                .parent = here,
                                                .alongside = true,
                                                .ended = on_child_task_ended,
                                                .arg = child },
                           &err); /* child */
    if (!child->task) {
        luaL_unref(L, LUA_REGISTRYINDEX, child->ref);
        child->ref = LUA_NOREF;
        return bind_error(L, &err);
    }
    task_at_end(here, &child->hook);
    task_go(child->task);
    return 1;
}

/* --- join ------------------------------------------------------------------------- */

static void end_join(struct join *join)
{
    list_remove(&join->link);
    timer_forget(join->timer);
    join->timer = NULL;
}

static void join_cancel(struct op *op)
{
    end_join(container_of(op, struct join, op));
}

static void on_join_late(void *arg)
{
    struct join *join = arg;

    join->timer = NULL;
    end_join(join);
    task_wake(&join->op, 0);
}

static int push_results(lua_State *L)
{
    lua_Integer count;

    lua_getiuservalue(L, 1, AT_RESULTS); /* t */
    lua_getfield(L, -1, "n");
    count = lua_tointeger(L, -1);
    lua_pop(L, 1);
    luaL_checkstack(L, (int)count, "too many results");
    for (lua_Integer i = 1; i <= count; i++)
        lua_rawgeti(L, 3, i);
    return (int)count;
}

/* Called with (child, seconds). */
static int join_finish(lua_State *L, int status, lua_KContext context)
{
    struct child *child = check_child(L);

    (void)status;
    (void)context;
    lua_settop(L, 2);
    if (child->task)
        return bind_fail(L, "timeout", "the task of %s did not end within %g s", child->name,
                         lua_tonumber(L, 2));
    child->heard = true;
    if (child->end == TASK_DONE)
        return push_results(L);
    return bind_error(L, &child->err);
}

/* handle:join([seconds]) -> what its function returned | nil, text, code */
static int task_child_join(lua_State *L)
{
    struct child *child = check_child(L);
    uint64_t ms = lua_isnoneornil(L, 2) ? 0 : bind_milliseconds(L, 2, 0, JOIN_SECONDS_MAX);
    struct task *here;
    struct join *join;

    lua_settop(L, 2);
    if (!child->task)
        return join_finish(L, LUA_OK, 0);
    here = task_here(L);
    for (const struct task *up = here; up; up = task_parent(up))
        if (up == child->task)
            return luaL_error(L, "a task cannot join %s: it would wait for itself",
                              up == here ? "itself" : "one that it ends with");
    join = lua_newuserdatauv(L, sizeof *join, 0);
    *join = (struct join){ .op = { here, join_cancel, OP_TASKS, NULL } };
    list_push(&child->joins, &join->link);
    if (ms)
        join->timer = timer_after(vm_loop(vm_of(L)), ms, on_join_late, join);
    return task_park_then(L, &join->op, 0, join_finish);
}

/* --- the rest --------------------------------------------------------------------- */

/* handle:cancel(), and its __close */
static int task_child_cancel(lua_State *L)
{
    struct child *child = check_child(L);

    if (child->task)
        task_cancel(child->task);
    return 0;
}

/* handle:status() */
static int task_child_status(lua_State *L)
{
    static const char *const names[] = { "done", "failed", "timeout", "cancelled" };
    const struct child *child = check_child(L);

    lua_pushstring(L, child->task ? "running" : names[child->end]);
    return 1;
}

void task_spawn_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", task_child_cancel },
                                     { "__gc", task_child_gc },
                                     { NULL, NULL } };
    static const luaL_Reg child_methods[] = { { "cancel", task_child_cancel },
                                              { "join", task_child_join },
                                              { "status", task_child_status },
                                              { NULL, NULL } };

    bind_metatable(L, CHILD, meta, child_methods);
}
