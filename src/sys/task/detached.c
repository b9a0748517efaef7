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

#define APART "sys.task.Apart"

struct apart {
    struct task *task;       /* NULL: it has ended */
    struct anchors *anchors; /* anchors that belong to it */
    int ref;                 /* this userdata in the registry, while it runs */
};

static void apart_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct apart *apart = arg;
    struct error err;
    char *traceback = NULL;

    (void)nresults;
    if (end == TASK_FAILED) {
        task_error(task, &err, &traceback);
        log_warn("%s: %s", task_name(task), traceback ? traceback : err.text);
        free(traceback);
    }
    anchors_end(apart->anchors);
    apart->anchors = NULL;
    apart->task = NULL;
    luaL_unref(task_lua(task), LUA_REGISTRYINDEX, apart->ref);
    apart->ref = LUA_NOREF;
}

/* sys.task.apart(name, fn) -> handle */
int task_apart(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    struct task *here = task_here(L);
    struct apart *apart;
    struct error err;

    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    apart = lua_newuserdatauv(L, sizeof *apart, 0); /* name, fn, handle */
    *apart = (struct apart){ .ref = LUA_NOREF };
    luaL_setmetatable(L, APART);
    lua_pushvalue(L, 3);
    apart->ref = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, 2);
    apart->task = task_new(
        L, 0, &(struct task_spec){ .name = name, .ended = apart_ended, .arg = apart }, &err);
    if (!apart->task) {
        luaL_unref(L, LUA_REGISTRYINDEX, apart->ref);
        return luaL_error(L, "%s", err.text);
    }
    apart->anchors = anchors_begin(apart->task);
    if (task_confined(here))
        task_confine(apart->task);
    task_go_later(apart->task);
    return 1;
}

static struct apart *check_apart(lua_State *L)
{
    return luaL_checkudata(L, 1, APART);
}

/* handle:stop() */
static int apart_stop(lua_State *L)
{
    struct apart *apart = check_apart(L);

    if (apart->task)
        task_cancel(apart->task);
    return 0;
}

/* handle:runs() */
static int apart_runs(lua_State *L)
{
    lua_pushboolean(L, check_apart(L)->task != NULL);
    return 1;
}

void task_apart_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { NULL, NULL } };
    static const luaL_Reg apart_methods[] = { { "runs", apart_runs },
                                              { "stop", apart_stop },
                                              { NULL, NULL } };

    bind_metatable(L, APART, meta, apart_methods);
}
