/* sys.console -- what the console of an engine (engine/console.h) needs: this engine, the others of
 * the user, what runs in it. */
#include <errno.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/backends.h"
#include "process/engine_sockets.h"
#include "registry/call/call.h"
#include "registry/call/caller.h"
#include "script/value.h"
#include "sys/console/pieces.h"
#include "sys/sys.h"

const char sys_command_key;

/* sys.console.engine() -> {pid =, command =, desktop =} */
static int console_engine(lua_State *L)
{
    char *place = platform_place();

    lua_createtable(L, 0, 3);
    lua_pushinteger(L, getpid());
    lua_setfield(L, -2, "pid");
    lua_pushstring(L, vm_service(L, &sys_command_key));
    lua_setfield(L, -2, "command");
    lua_pushstring(L, place);
    lua_setfield(L, -2, "desktop");
    free(place);
    return 1;
}

struct found {
    struct engine_place {
        int pid;
        char *socket; /* owned */
    } items[1024];
    size_t count;
};

static bool add_found_engine(void *arg, int pid, const char *path)
{
    struct found *found = arg;

    if (pid != (int)getpid() && engine_socket_alive(path))
        found->items[found->count++] = (struct engine_place){ pid, mem_strdup(path) };
    return found->count < countof(found->items);
}

/* (found) -> {{pid =, socket =}, ...} */
static int push_found(lua_State *L)
{
    const struct found *found = lua_touserdata(L, 1);

    lua_createtable(L, (int)found->count, 0);
    for (size_t i = 0; i < found->count; i++) {
        lua_createtable(L, 0, 2);
        lua_pushinteger(L, found->items[i].pid);
        lua_setfield(L, -2, "pid");
        lua_pushstring(L, found->items[i].socket);
        lua_setfield(L, -2, "socket");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    value_mark_array(L, -1);
    return 1;
}

/* sys.console.engines() */
static int console_engines(lua_State *L)
{
    struct found *found = mem_zero(sizeof *found);
    int status;

    engine_sockets_each("console", add_found_engine, found);
    lua_pushcfunction(L, push_found);
    lua_pushlightuserdata(L, found);
    status = lua_pcall(L, 1, 1, 0);
    while (found->count)
        free(found->items[--found->count].socket);
    free(found);
    return status == LUA_OK ? 1 : lua_error(L);
}

/* sys.console.caller() -> a table that says who makes the running call, the same one as long as the
 * connection lasts; nil if nobody said */
static int console_caller(lua_State *L)
{
    struct caller *caller = call_caller_of(task_current(L));

    if (!caller)
        return 0;
    caller_push(caller, L);
    return 1;
}

static const luaL_Reg console_funcs[] = {
    { "caller", console_caller },   { "calls", console_calls },
    { "engine", console_engine },   { "engines", console_engines },
    { "prompt", console_prompt },   { "read_log", console_read_log },
    { "reload", console_reload },   { "tell", console_tell },
    { "tool_of", console_tool_of }, { NULL, NULL }
};

int luaopen_sys_console(lua_State *L)
{
    console_log_init(L);
    console_prompt_init(L);
    luaL_newlib(L, console_funcs);
    return 1;
}
