#include "sys/shared/functions.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
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

/* Pushes the table with the functions of `of`. False: it is of another module, and nothing is
 * pushed. */
static bool push_functions(lua_State *L, const char *module, const char *of)
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

lua_CFunction functions_replace(lua_State *L, const char *module, const char *of, const char *name,
                                lua_CFunction with, const void *line)
{
    lua_CFunction work;
    int function, values = 0;

    luaL_checkstack(L, 260, NULL);
    if (!push_functions(L, module, of))
        return NULL;
    if (!lua_istable(L, -1) || lua_getfield(L, -1, name) != LUA_TFUNCTION)
        luaL_error(L, "%s has no function %s", of, name);
    function = lua_gettop(L); /* table fn */
    work = lua_tocfunction(L, function);
    while (lua_getupvalue(L, function, values + 1))
        values++;
    lua_pushlightuserdata(L, (void *)line); /* table fn values line */
    lua_pushcclosure(L, with, values + 1);
    lua_setfield(L, function - 1, name);
    lua_pop(L, 2);
    return work;
}

const void *functions_line(lua_State *L, const void *lines, size_t size)
{
    uintptr_t from = (uintptr_t)lines;
    const void *value = NULL;

    for (int at = 1; (uintptr_t)value < from || (uintptr_t)value >= from + size; at++)
        value = lua_touserdata(L, lua_upvalueindex(at));
    return value;
}

void functions_push_work(lua_State *L, lua_CFunction work, const void *line)
{
    int values = 0;

    while (lua_touserdata(L, lua_upvalueindex(values + 1)) != line)
        values++;
    luaL_checkstack(L, values + 1, NULL);
    for (int i = 1; i <= values; i++)
        lua_pushvalue(L, lua_upvalueindex(i));
    lua_pushcclosure(L, work, values);
}
