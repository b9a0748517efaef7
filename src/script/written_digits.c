#include "script/written_digits.h"

#include <lauxlib.h>

#include "json/number.h"

static const char digits_key; /* its address is the name */

/* registry[digits_key] = { [table] = { [key] = text } }, weak by table; there once it is needed. */
static void push_all_digits(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &digits_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);          /* all */
    lua_createtable(L, 0, 1); /* all, mt */
    lua_pushliteral(L, "k");  /* all, mt, mode */
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2); /* all */
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &digits_key);
}

void written_digits_remember(lua_State *L, struct str text)
{
    int table = lua_gettop(L) - 1;

    luaL_checkstack(L, 6, "no room");
    push_all_digits(L);      /* all */
    lua_pushvalue(L, table); /* all, table */
    if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L); /* all, texts */
        lua_pushvalue(L, table);
        lua_pushvalue(L, -2); /* all, texts, table, texts */
        lua_rawset(L, -4);    /* all, texts */
    }
    lua_pushvalue(L, table + 1);
    lua_pushlstring(L, text.ptr, text.len); /* all, texts, key, text */
    lua_rawset(L, -3);
    lua_settop(L, table + 1);
}

void written_digits_push(lua_State *L, int table)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &digits_key) == LUA_TTABLE) { /* all */
        lua_pushvalue(L, table);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
}

struct str written_digits_of(lua_State *L, int written, int key, int value)
{
    struct str text = { NULL, 0 };

    if (!written || lua_type(L, value) != LUA_TNUMBER || lua_isinteger(L, value))
        return text;
    lua_pushvalue(L, key);
    if (lua_rawget(L, written) == LUA_TSTRING) {
        text.ptr = lua_tolstring(L, -1, &text.len);
        if (number_read(text.ptr, text.len) != lua_tonumber(L, value))
            text = (struct str){ NULL, 0 };
    }
    lua_pop(L, 1);
    return text;
}
