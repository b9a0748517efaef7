/* A userdata names its struct by address and serial number. The structs are used again but never
 * freed, and get a new number when a call ends, so a script that keeps the object can do no harm,
 * and the object needs no finalizer (those are expensive, and most calls are short). */
#include "registry/call/handle.h"

static const char handle_key;

void call_push_handle(lua_State *L, struct call *call)
{
    struct handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);

    *handle = (struct handle){ call, call->serial };
    lua_rawgetp(L, LUA_REGISTRYINDEX, &handle_key);
    lua_setmetatable(L, -2);
}

struct handle *call_check_handle(lua_State *L)
{
    struct handle *handle = lua_touserdata(L, 1);
    bool ok = handle && lua_getmetatable(L, 1);

    if (ok) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &handle_key);
        ok = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    if (!ok)
        luaL_argerror(L, 1, "call expected; write call:name(...), with a colon");
    return handle;
}

struct call *handle_call(const struct handle *handle)
{
    return handle->call->serial == handle->serial ? handle->call : NULL;
}

struct call *call_check(lua_State *L)
{
    return handle_call(call_check_handle(L));
}

static int handle_index(lua_State *L)
{
    struct call *call = call_check(L);
    const char *key = luaL_checkstring(L, 2);
    struct entry *entry = call ? call->spec.entry : NULL;

    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    if (entry && strcmp(key, "tool") == 0)
        lua_pushstring(L, entry->name);
    else if (entry && strcmp(key, "toolset") == 0)
        lua_pushstring(L, entry->toolset);
    return 1;
}

void call_handle_init(lua_State *L, const luaL_Reg *methods)
{
    lua_createtable(L, 0, 4); /* mt */
    lua_newtable(L);          /* mt, methods */
    luaL_setfuncs(L, methods, 0);
    lua_pushcclosure(L, handle_index, 1); /* mt, index */
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &handle_key);
}
