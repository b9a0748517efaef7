/* sys.task -- several things at once inside one call: the module, and time limits. */
#include "script/task.h"

#include <lauxlib.h>
#include <math.h>

#include "script/vm.h"
#include "script/wake.h"
#include "sys/sys.h"
#include "sys/task/anchor.h"
#include "sys/task/channel.h"
#include "sys/task/detached.h"
#include "sys/task/lock.h"
#include "sys/task/map.h"
#include "sys/task/signal.h"
#include "sys/task/spawn.h"

/* --- with_timeout ------------------------------------------------------------------- */

struct timed {
    struct op op;
    struct task *child;
    enum task_end end;
};

static void timed_cancel(struct op *op)
{
    struct timed *timed = container_of(op, struct timed, op);
    struct task *child = timed->child;

    timed->child = NULL;
    if (child)
        task_cancel(child);
}

static void timed_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct timed *timed = arg;
    lua_State *L = task_lua(timed->op.task);
    struct error err;

    if (end != TASK_DONE)
        task_pass_place(task, timed->op.task);
    if (!timed->child)
        return;
    timed->child = NULL;
    timed->end = end;
    if (end == TASK_DONE && !lua_checkstack(L, nresults + 4)) {
        timed->end = TASK_FAILED;
        vm_push_shortage(L);
        task_wake(&timed->op, 2); /* the text of the error */
    } else if (end == TASK_DONE || end == TASK_FAILED) {
        lua_xmove(task_lua(task), L, nresults);
        task_wake(&timed->op, nresults);
    } else {
        task_end_error(task, end, &err);
        task_wake_error(&timed->op, &err);
    }
}

static int timed_finish(lua_State *L, int status, lua_KContext context)
{
    struct timed *timed = lua_touserdata(L, 4);

    (void)status;
    (void)context;
    if (timed->end == TASK_FAILED)
        return lua_error(L);
    return lua_gettop(L) - 4;
}

/* sys.task.with_timeout(seconds, fn[, name]) -> fn's results | nil, text, "timeout" */
static int task_with_timeout(lua_State *L)
{
    lua_Number seconds = luaL_checknumber(L, 1);
    struct task *task;
    const char *name;
    struct timed *timed;
    struct error err;

    luaL_argcheck(L, seconds > 0 && seconds <= 86400, 1,
                  "expected more than 0, at most 86400 seconds");
    luaL_checktype(L, 2, LUA_TFUNCTION);
    task = task_here(L);
    name = luaL_optstring(L, 3, task_name(task));
    lua_settop(L, 3);
    timed = lua_newuserdatauv(L, sizeof *timed, 0); /* seconds, fn, name, timed */
    timed->op = (struct op){ task, timed_cancel, OP_TASKS, NULL };
    timed->end = TASK_DONE;
    lua_pushvalue(L, 2);
    timed->child = task_new(L, 0,
                            &(struct task_spec){ .name = name,
                                                 .timeout_ms = (uint64_t)ceil(seconds * 1000),
                                                 .parent = task,
                                                 .ended = timed_ended,
                                                 .arg = timed },
                            &err);
    if (!timed->child)
        return luaL_error(L, "%s", err.text);
    task_go(timed->child); /* queued: this task is running */
    return task_park_then(L, &timed->op, 0, timed_finish);
}

static int task_remaining_(lua_State *L)
{
    struct task *task = task_current(L);
    double left = task ? task_remaining(task) : -1;

    lua_pushnumber(L, left < 0 ? HUGE_VAL : left);
    return 1;
}

/* sys.task.lineage() -> list */
static int task_lineage(lua_State *L)
{
    const struct task *task = task_current(L);

    lua_newtable(L);
    for (lua_Integer i = 1; task; i++, task = task_parent(task)) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)task);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static const luaL_Reg task_funcs[] = { { "anchor", task_anchor },
                                       { "anchored", task_anchored },
                                       { "apart", task_detach },
                                       { "await", task_await },
                                       { "channel", task_channel },
                                       { "lineage", task_lineage },
                                       { "linger", task_linger },
                                       { "lock", task_lock },
                                       { "map", task_map },
                                       { "owner", task_owner },
                                       { "release", task_release },
                                       { "remaining", task_remaining_ },
                                       { "select", task_select },
                                       { "signal", task_signal },
                                       { "spawn", task_spawn },
                                       { "with_timeout", task_with_timeout },
                                       { NULL, NULL } };

int luaopen_sys_task(lua_State *L)
{
    task_anchor_init(L);
    task_detached_init(L);
    task_channel_init(L);
    task_lock_init(L);
    task_signal_init(L);
    task_spawn_init(L);
    luaL_newlib(L, task_funcs);
    return 1;
}
