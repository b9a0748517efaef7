/* A table that reads from another one, which nobody else gets. */
#include "script/sandbox/frozen.h"

#include <lauxlib.h>

static int frozen_write(lua_State *L)
{
    return luaL_error(L, "modules are read-only (field '%s')",
                      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
}

/* Upvalue 1 of these three is the table itself, which nobody else gets. */
static int frozen_next(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_next(L, lua_upvalueindex(1)))
        return 2;
    lua_pushnil(L);
    return 1;
}

static int frozen_pairs(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, frozen_next, 1);
    lua_insert(L, 1);
    lua_pushnil(L); /* next, proxy, nil */
    return 3;
}

static int frozen_len(lua_State *L)
{
    lua_pushinteger(L, luaL_len(L, lua_upvalueindex(1)));
    return 1;
}

void frozen_make(lua_State *L)
{
    if (!lua_istable(L, -1))
        return;
    lua_newtable(L);          /* t, proxy */
    lua_createtable(L, 0, 5); /* t, proxy, mt */
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, frozen_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, frozen_pairs, 1);
    lua_setfield(L, -2, "__pairs");
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, frozen_len, 1);
    lua_setfield(L, -2, "__len");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2); /* t, proxy */
    lua_remove(L, -2);       /* proxy */
}
