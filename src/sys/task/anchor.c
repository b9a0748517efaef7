/* sys.task.anchor -- script/anchor.h for Lua. The registry keeps the handle while its task runs. */
#include "sys/task/anchor.h"

#include <lauxlib.h>

#include "script/anchor.h"
#include "script/bind.h"
#include "script/vm.h"

#define ANCHOR "sys.task.Anchor"

struct handle {
    struct anchored anchored;
    struct vm *vm;
    int ref;
};

static void on_handle_task_ended(struct anchored *anchored)
{
    struct handle *handle = container_of(anchored, struct handle, anchored);

    luaL_unref(vm_lua(handle->vm), LUA_REGISTRYINDEX, handle->ref);
    handle->ref = LUA_NOREF;
}

/* sys.task.anchor(name, fn) -> handle | nil, text, code */
int task_anchor(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    struct handle *handle;
    struct error err;

    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    handle = lua_newuserdatauv(L, sizeof *handle, 0); /* name, fn, handle */
    *handle = (struct handle){ .anchored.ended = on_handle_task_ended, .vm = vm_of(L) };
    luaL_setmetatable(L, ANCHOR);
    lua_pushvalue(L, 3);
    handle->ref = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, 2);
    if (anchor(L, name, &handle->anchored, &err)) {
        lua_settop(L, 3);
        return 1;
    }
    luaL_unref(L, LUA_REGISTRYINDEX, handle->ref);
    handle->ref = LUA_NOREF;
    return bind_error(L, &err);
}

/* sys.task.linger() */
int task_linger(lua_State *L)
{
    lua_settop(L, 0);
    return anchors_linger(L, true);
}

/* sys.task.release() */
int task_release(lua_State *L)
{
    anchors_release(L);
    return 0;
}

/* sys.task.anchored(owner) -> number */
int task_anchored(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)anchors_count(luaL_checkstring(L, 1)));
    return 1;
}

/* sys.task.owner() -> name | nil */
int task_owner(lua_State *L)
{
    lua_pushstring(L, anchors_owner(L));
    return 1;
}

static int anchor_stop(lua_State *L)
{
    struct handle *handle = luaL_checkudata(L, 1, ANCHOR);

    if (handle->anchored.task)
        task_cancel(handle->anchored.task);
    return 0;
}

static int anchor_runs(lua_State *L)
{
    lua_pushboolean(L, ((struct handle *)luaL_checkudata(L, 1, ANCHOR))->anchored.task != NULL);
    return 1;
}

void task_anchor_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { NULL, NULL } };
    static const luaL_Reg anchor_methods[] = { { "runs", anchor_runs },
                                               { "stop", anchor_stop },
                                               { NULL, NULL } };

    bind_metatable(L, ANCHOR, meta, anchor_methods);
}
