#include "sys/shared/functions.h"

#include <lauxlib.h>
#include <string.h>

/* Pushes the table of the methods of a kind of userdata. */
static void push_methods(lua_State *L, const char *kind)
{
    luaL_getmetatable(L, kind);
    lua_getfield(L, -1, "__index");
    if (lua_iscfunction(L, -1) && lua_getupvalue(L, -1, 1))
        lua_remove(L, -2); /* a function that looks into it */
    lua_remove(L, -2);
}

bool functions_push(lua_State *L, const char *module, const char *of)
{
    size_t len = strlen(module);

    if (strncmp(of, module, len) != 0 || (of[len] && of[len] != '.'))
        return false;
    if (of[len])
        push_methods(L, of);
    else
        lua_pushvalue(L, -1);
    return true;
}
