/* sys.loopback -- waits for a browser on 127.0.0.1. */
#include "http/server/loopback.h"

#include <lauxlib.h>

#include "script/bind.h"
#include "sys/sys.h"

#define LISTENER "sys.loopback.Listener"

enum { PORT_MAX = 65535, WAIT_SECONDS_MAX = 86400, PAGE_MAX = 1 << 20 };

struct listener {
    struct loopback *loopback; /* NULL: closed */
    struct waiting_task waiting;
};

static struct listener *check_loopback_listener(lua_State *L)
{
    return luaL_checkudata(L, 1, LISTENER);
}

static void on_visit(void *arg)
{
    struct listener *listener = arg;

    waiting_task_wake(&listener->waiting);
}

static int loopback_listen(lua_State *L)
{
    lua_Integer port = luaL_optinteger(L, 1, 0);
    struct listener *listener;
    struct error err;

    luaL_argcheck(L, port >= 0 && port <= PORT_MAX, 1, "expected a port, 0 to 65535");
    if (!task_current(L))
        return luaL_error(L, "cannot listen while a file is loaded. Call this from a function");
    listener = lua_newuserdatauv(L, sizeof *listener, 0);
    *listener = (struct listener){ 0 };
    luaL_setmetatable(L, LISTENER);
    listener->loopback = loopback_open(vm_loop(vm_of(L)), (unsigned)port, on_visit, listener, &err);
    return listener->loopback ? 1 : bind_error(L, &err);
}

static void set_text(lua_State *L, const char *name, struct str text)
{
    lua_pushlstring(L, text.ptr, text.len);
    lua_setfield(L, -2, name);
}

/* Pushes the request that is there now, after the wait or without one. */
static int take_visit(lua_State *L, int status, lua_KContext context)
{
    struct listener *listener = check_loopback_listener(L);
    const struct browser_request *request =
        listener->loopback ? loopback_next(listener->loopback) : NULL;

    (void)status;
    (void)context;
    if (!listener->loopback)
        return bind_fail(L, "closed", "the listener was closed");
    if (!request)
        return bind_fail(L, "timeout", "no request arrived in time");
    lua_createtable(L, 0, 3);
    set_text(L, "method", request->method);
    set_text(L, "path", request->path);
    set_text(L, "query", request->query);
    return 1;
}

/* listener:next(timeout) -> { method, path, query } */
static int loopback_listener_next(lua_State *L)
{
    struct listener *listener = check_loopback_listener(L);
    uint64_t ms = bind_milliseconds(L, 2, 30, WAIT_SECONDS_MAX);

    lua_settop(L, 1);
    if (waiting_task_busy(&listener->waiting))
        return bind_fail(L, "busy", "another task is waiting for this listener");
    if (!listener->loopback || loopback_next(listener->loopback))
        return take_visit(L, LUA_OK, 0);
    return waiting_task_park(L, &listener->waiting, "the browser", ms, take_visit);
}

/* listener:reply(status, html) */
static int loopback_listener_reply(lua_State *L)
{
    struct listener *listener = check_loopback_listener(L);
    lua_Integer status = luaL_checkinteger(L, 2);
    struct str html;

    html.ptr = luaL_checklstring(L, 3, &html.len);
    luaL_argcheck(L, status >= 200 && status <= 599, 2, "expected an HTTP status");
    luaL_argcheck(L, html.len <= PAGE_MAX, 3, "too long");
    if (listener->loopback)
        loopback_reply(listener->loopback, (int)status, html);
    return 0;
}

/* listener:close(), and its __close and __gc */
static int loopback_listener_close(lua_State *L)
{
    struct listener *listener = check_loopback_listener(L);

    loopback_close(listener->loopback);
    listener->loopback = NULL;
    waiting_task_wake(&listener->waiting);
    return 0;
}

static int loopback_listener_port(lua_State *L)
{
    struct listener *listener = check_loopback_listener(L);

    lua_pushinteger(L, listener->loopback ? (lua_Integer)loopback_port(listener->loopback) : 0);
    return 1;
}

static const luaL_Reg listener_methods[] = { { "close", loopback_listener_close },
                                             { "next", loopback_listener_next },
                                             { "port", loopback_listener_port },
                                             { "reply", loopback_listener_reply },
                                             { NULL, NULL } };

static const luaL_Reg loopback_funcs[] = { { "listen", loopback_listen }, { NULL, NULL } };

int luaopen_sys_loopback(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", loopback_listener_close },
                                     { "__gc", loopback_listener_close },
                                     { NULL, NULL } };

    bind_metatable(L, LISTENER, meta, listener_methods);
    luaL_newlib(L, loopback_funcs);
    return 1;
}
