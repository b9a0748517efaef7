#include "script/tools_table.h"

#include <lauxlib.h>

#include "script/bind.h"

static const char result_key; /* its address names the metatable of results */

/* (result) -> its text */
static int result_tostring(lua_State *L)
{
    if (lua_getfield(L, 1, "text") != LUA_TSTRING)
        lua_pushfstring(L, "table: %p", lua_topointer(L, 1));
    return 1;
}

static bool table_has_field(lua_State *L, const char *key, int type)
{
    bool has;

    lua_pushstring(L, key);
    has = lua_rawget(L, -2) == type;
    lua_pop(L, 1);
    return has;
}

/* A result of more than a string is a table: print() shows its text, as it shows the string. */
static void make_printable(lua_State *L)
{
    if (!lua_istable(L, -1) || !table_has_field(L, "content", LUA_TTABLE) ||
        !table_has_field(L, "text", LUA_TSTRING))
        return;
    if (lua_getmetatable(L, -1)) {
        lua_pop(L, 1);
        return;
    }
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &result_key) != LUA_TTABLE) { /* result, nil */
        lua_pop(L, 1);
        lua_createtable(L, 0, 1); /* result, mt */
        lua_pushcfunction(L, result_tostring);
        lua_setfield(L, -2, "__tostring");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &result_key);
    }
    lua_setmetatable(L, -2);
}

/* The error of a failed call is led by the place of the script that made it. */
static int tool_after(lua_State *L, int status, lua_KContext context)
{
    int top = lua_gettop(L);

    (void)status;
    (void)context;
    if (top >= 3 && lua_isnil(L, top - 2) && lua_type(L, top - 1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_pushfstring(L, "%s%s: %s", lua_tostring(L, -1), lua_tostring(L, lua_upvalueindex(1)),
                        lua_tostring(L, top - 1));
        return lua_error(L);
    }
    make_printable(L);
    return 1;
}

/* Upvalues: the tool's name, `call`. */
static int tool_call(lua_State *L)
{
    luaL_argcheck(L, lua_isnoneornil(L, 1) || lua_istable(L, 1), 1,
                  "pass arguments by name, in a table");
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    lua_callk(L, 2, LUA_MULTRET, 0, tool_after);
    return tool_after(L, LUA_OK, 0);
}

static int tool_tried(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    lua_pushvalue(L, 1);
    make_printable(L);
    lua_pop(L, 1);
    return lua_gettop(L);
}

/* The same where a failure is returned. (arguments, options) */
static int tool_try(lua_State *L)
{
    luaL_argcheck(L, lua_isnoneornil(L, 1) || lua_istable(L, 1), 1,
                  "pass arguments by name, in a table");
    luaL_argcheck(L, lua_isnoneornil(L, 2) || lua_istable(L, 2), 2,
                  "pass options in a table: {timeout = 5}");
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 2); /* call, name, arguments, options */
    lua_callk(L, 3, LUA_MULTRET, 0, tool_tried);
    return tool_tried(L, LUA_OK, 0);
}

/* The function of the tool whose name is on top, in its place. Upvalues 1 and 2 of all that give
 * one: `call`, and whether it raises. */
static void make_function(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, lua_toboolean(L, lua_upvalueindex(2)) ? tool_call : tool_try, 2);
}

/* (tools, name) */
static int tools_index(lua_State *L)
{
    luaL_checkstring(L, 2);
    lua_settop(L, 2);
    make_function(L);
    return 1;
}

/* Upvalues: `call`, whether it raises, `next`, the place. */
static int tools_next(lua_State *L)
{
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(3));
    lua_pushvalue(L, lua_upvalueindex(4));
    lua_call(L, 1, 2); /* i, name */
    if (lua_isnil(L, 1))
        return 0;
    lua_pushvalue(L, 1);
    lua_replace(L, lua_upvalueindex(4));
    lua_pushvalue(L, 2);
    make_function(L); /* i, name, function */
    return 2;
}

/* for name, call in pairs(tools); upvalues: `call`, whether it raises, `next`. */
static int tools_pairs(lua_State *L)
{
    for (int i = 1; i <= 3; i++)
        lua_pushvalue(L, lua_upvalueindex(i));
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, tools_next, 4);
    return 1;
}

/* The names, a line each; upvalue: `next`. */
static int tools_tostring(lua_State *L)
{
    lua_Integer at = 0;
    struct buf *text;

    lua_settop(L, 1);
    text = bind_buffer(L);
    for (;;) {
        size_t len;
        const char *name;

        lua_pushvalue(L, lua_upvalueindex(1));
        lua_pushinteger(L, at);
        lua_call(L, 1, 2); /* at, name */
        name = lua_tolstring(L, -1, &len);
        if (!name)
            break;
        at = lua_tointeger(L, -2);
        if (text->len)
            buf_addc(text, '\n');
        buf_add(text, name, len);
        lua_pop(L, 2);
    }
    lua_pushlstring(L, text->data, text->len);
    return 1;
}

bool tools_table_has_text(lua_State *L, int index)
{
    int top = lua_gettop(L);
    bool has = lua_istable(L, index) && luaL_getmetafield(L, index, "__tostring") != LUA_TNIL;

    if (has) {
        lua_getmetatable(L, index);
        lua_rawgetp(L, LUA_REGISTRYINDEX, &result_key);
        has = !lua_rawequal(L, -1, -2);
    }
    lua_settop(L, top);
    return has;
}

const char *tools_table_name(lua_State *L, int index)
{
    const char *name = NULL;

    lua_CFunction function = lua_tocfunction(L, index);

    if ((function == tool_call || function == tool_try) && lua_getupvalue(L, index, 1)) {
        name = lua_tostring(L, -1); /* the function keeps it */
        lua_pop(L, 1);
    }
    return name;
}

static int tools_write(lua_State *L)
{
    return luaL_error(L, "the tools are read-only");
}

void tools_table_push(lua_State *L, lua_CFunction call, lua_CFunction next, bool raises)
{
    lua_newtable(L);          /* tools */
    lua_createtable(L, 0, 5); /* tools, mt */
    lua_pushcfunction(L, tools_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, call);
    lua_pushboolean(L, raises);
    lua_pushcclosure(L, tools_index, 2);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, call);
    lua_pushboolean(L, raises);
    lua_pushcfunction(L, next);
    lua_pushcclosure(L, tools_pairs, 3);
    lua_setfield(L, -2, "__pairs");
    lua_pushcfunction(L, next);
    lua_pushcclosure(L, tools_tostring, 1);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}
