/* require "perigee" and require "tools" -- the tools as functions. */
#include <lauxlib.h>

#include "sys/shared/tool_call.h"
#include "sys/sys.h"

/* perigee.call(name [, arguments [, options]]) -> value | nil, text, code */
static int perigee_call(lua_State *L)
{
    return tool_call(L, true);
}

static const luaL_Reg perigee_funcs[] = { { "call", perigee_call }, { NULL, NULL } };

int luaopen_perigee(lua_State *L)
{
    luaL_newlib(L, perigee_funcs);
    lua_pushliteral(L, PERIGEE_VERSION);
    lua_setfield(L, -2, "version");
    tools_push(L, true);
    lua_setfield(L, -2, "tools");
    lua_newtable(L);
    lua_setfield(L, -2, "args");
    return 1;
}

/* The functions for files: a failure is returned. */
int luaopen_tools(lua_State *L)
{
    tools_push(L, false);
    return 1;
}
