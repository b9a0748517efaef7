/* sys.task.apart -- a task of its own, without a parent and without a time limit.
 *
 * Its handle is kept in the registry while it runs, so that nobody need keep it: the task ends when
 * its function does, when the handle's stop() is called, or with the engine. */
#include "sys/task/detached.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/log.h"
#include "script/anchor.h"
#include "script/bind.h"
#include "script/task.h"

#define DETACHED "sys.task.Apart"

struct detached {
    struct task *task;       /* NULL: it has ended */
    struct anchors *anchors; /* anchors that belong to it */
    int ref;                 /* this userdata in the registry, while it runs */
};

static void detached_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct detached *detached = arg;
    struct error err;
    char *traceback = NULL;

    (void)nresults;
    if (end == TASK_FAILED) {
        task_error(task, &err, &traceback);
        log_warn("%s: %s", task_name(task), traceback ? traceback : err.text);
        free(traceback);
    }
    anchors_end(detached->anchors);
    detached->anchors = NULL;
    detached->task = NULL;
    luaL_unref(task_lua(task), LUA_REGISTRYINDEX, detached->ref);
    detached->ref = LUA_NOREF;
}

/* sys.task.apart(name, fn) -> handle */
int task_detach(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    struct task *here = task_here(L);
    struct detached *detached;
    struct error err;

    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    detached = lua_newuserdatauv(L, sizeof *detached, 0); /* name, fn, handle */
    *detached = (struct detached){ .ref = LUA_NOREF };
    luaL_setmetatable(L, DETACHED);
    lua_pushvalue(L, 3);
    detached->ref = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, 2);
    detached->task = task_new(
        L, 0, &(struct task_spec){ .name = name, .ended = detached_ended, .arg = detached }, &err);
    if (!detached->task) {
        luaL_unref(L, LUA_REGISTRYINDEX, detached->ref);
        return luaL_error(L, "%s", err.text);
    }
    detached->anchors = anchors_begin(detached->task);
    if (task_confined(here))
        task_confine(detached->task);
    task_go_later(detached->task);
    return 1;
}

static struct detached *check_detached(lua_State *L)
{
    return luaL_checkudata(L, 1, DETACHED);
}

/* handle:stop() */
static int detached_stop(lua_State *L)
{
    struct detached *detached = check_detached(L);

    if (detached->task)
        task_cancel(detached->task);
    return 0;
}

/* handle:runs() */
static int detached_runs(lua_State *L)
{
    lua_pushboolean(L, check_detached(L)->task != NULL);
    return 1;
}

void task_detached_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { NULL, NULL } };
    static const luaL_Reg apart_methods[] = { { "runs", detached_runs },
                                              { "stop", detached_stop },
                                              { NULL, NULL } };

    bind_metatable(L, DETACHED, meta, apart_methods);
}
