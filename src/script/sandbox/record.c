/* A record is a table that the file's `require` has as an upvalue. */
#include "script/sandbox/record.h"

#include <lauxlib.h>

#include "script/purity.h"
#include "script/sandbox/sandbox_struct.h"

void record_push_new(lua_State *L, struct sandbox *sandbox, int home, const char *key)
{
    if (home <= HOME_SHIPPED || !key) {
        lua_pushnil(L);
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->records);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, key); /* records, record */
    lua_remove(L, -2);
}

void record_note(lua_State *L)
{
    if (!lua_istable(L, lua_upvalueindex(RECORD)))
        return;
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(RECORD));
}

bool record_push_value(lua_State *L)
{
    if (!lua_istable(L, lua_upvalueindex(RECORD)))
        return false;
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    lua_rawget(L, lua_upvalueindex(RECORD)); /* name, value | false | nil */
    if (lua_toboolean(L, -1) && !purity_watched(L))
        return true;
    lua_pushboolean(L, 0);
    if (lua_isnil(L, -2))
        record_note(L);
    lua_settop(L, 1);
    return false;
}

bool sandbox_push_record(struct sandbox *sandbox, lua_State *L, const char *key)
{
    if (sandbox->records == LUA_NOREF)
        return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->records);
    lua_getfield(L, -1, key);
    lua_remove(L, -2);
    if (lua_istable(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

void sandbox_forget(struct sandbox *sandbox, lua_State *L, const char *key)
{
    const int tables[] = { sandbox->loaded, sandbox->failed, sandbox->pure, sandbox->records };

    for (size_t i = 0; i < countof(tables) && tables[i] != LUA_NOREF; i++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, tables[i]);
        lua_pushnil(L);
        lua_setfield(L, -2, key);
        lua_pop(L, 1);
    }
}
