/* sys.state -- tables that outlive a reload: they hang on the registry, not on a generation. */
#include <lauxlib.h>

#include "sys/sys.h"

static const char tables_key;

/* sys.state.open(name) -> the table of that name: registry[&tables_key][name] */
static int state_open(lua_State *L)
{
    luaL_checkstring(L, 1);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &tables_key) != LUA_TTABLE) { /* name, nil */
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &tables_key);
    }                    /* name, tables */
    lua_pushvalue(L, 1); /* name, tables, name */
    if (lua_rawget(L, 2) == LUA_TTABLE)
        return 1;
    lua_newtable(L); /* name, tables, nil, table */
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, 2); /* name, tables, nil, table */
    return 1;
}

static const luaL_Reg state_funcs[] = { { "open", state_open }, { NULL, NULL } };

int luaopen_sys_state(lua_State *L)
{
    luaL_newlib(L, state_funcs);
    return 1;
}
