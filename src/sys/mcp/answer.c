/* sys.mcp -- makes of what the functions of a spec return what the wire wants.
 *
 * Everything here runs on a protected stack: (question, value, text, code). */
#include "sys/mcp/answer.h"

#include <lauxlib.h>

#include "script/value.h"

/* Sets content[name] = schema.properties[name].default, if content has no such member. */
static void fill_defaults(lua_State *L, int params, int content)
{
    if (lua_getfield(L, params, "requestedSchema") != LUA_TTABLE ||
        lua_getfield(L, -1, "properties") != LUA_TTABLE)
        return;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) { /* ..., properties, name, schema */
        if (!lua_istable(L, -1) || lua_type(L, -2) != LUA_TSTRING)
            continue;
        lua_pushvalue(L, -2);
        if (lua_rawget(L, content) == LUA_TNIL) { /* ..., name, schema, nil */
            lua_pushvalue(L, -3);
            lua_getfield(L, -3, "default");
            if (lua_isnil(L, -1))
                lua_pop(L, 2);
            else
                lua_rawset(L, content);
        }
        lua_pop(L, 1);
    }
}

/* True if the value is a whole ElicitResult, as the wire has it. */
static bool is_action(lua_State *L, int index)
{
    bool is = lua_getfield(L, index, "action") == LUA_TSTRING;

    lua_pop(L, 1);
    return is;
}

/* Replaces the value at 2: makes an ElicitResult of true, the content, or a word. */
static void shape_elicit(lua_State *L, int asked)
{
    enum { PARAMS = 5, RESULT, CONTENT };
    bool yes = lua_toboolean(L, 2) && lua_type(L, 2) != LUA_TSTRING;

    lua_rawgeti(L, LUA_REGISTRYINDEX, asked); /* ..., params */
    if (lua_istable(L, 2) && is_action(L, 2))
        return;
    lua_createtable(L, 0, 2); /* ..., params, result */
    lua_pushstring(L, yes ? "accept" : lua_isstring(L, 2) ? lua_tostring(L, 2) : "decline");
    lua_setfield(L, RESULT, "action");
    if (yes && lua_getfield(L, PARAMS, "requestedSchema") == LUA_TTABLE) {
        lua_settop(L, RESULT);
        if (lua_istable(L, 2))
            lua_pushvalue(L, 2);
        else
            lua_newtable(L); /* ..., params, result, content */
        value_mark_object(L, CONTENT, 0);
        fill_defaults(L, PARAMS, CONTENT);
        lua_settop(L, CONTENT);
        lua_setfield(L, RESULT, "content");
    }
    lua_pushvalue(L, RESULT);
    lua_replace(L, 2);
}

/* Makes a result of a text, which is what the assistant says. */
static void shape_sample(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING)
        return;
    lua_createtable(L, 0, 3); /* result */
    lua_createtable(L, 0, 2); /* result, content */
    lua_pushliteral(L, "text");
    lua_setfield(L, -2, "type");
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "text");
    lua_setfield(L, -2, "content");
    lua_pushliteral(L, "assistant");
    lua_setfield(L, -2, "role");
    lua_pushliteral(L, "unknown");
    lua_setfield(L, -2, "model");
    lua_replace(L, 2);
}

/* Makes a result of a list of addresses, paths, or tables as the wire has them. */
static void shape_roots(lua_State *L)
{
    lua_Integer n = 0;

    if (!lua_istable(L, 2) || lua_getfield(L, 2, "roots") == LUA_TTABLE)
        return;
    lua_createtable(L, 0, 1);                      /* nil, result */
    lua_newtable(L);                               /* nil, result, roots */
    while (lua_rawgeti(L, 2, n + 1) != LUA_TNIL) { /* ..., root */
        if (lua_type(L, -1) == LUA_TSTRING) {
            const char *text = lua_tostring(L, -1);

            lua_createtable(L, 0, 1);
            lua_pushfstring(L, "%s%s", *text == '/' ? "file://" : "", text);
            lua_setfield(L, -2, "uri");
            lua_replace(L, -2);
        }
        lua_rawseti(L, -2, ++n);
    }
    lua_pop(L, 1);
    value_mark_array(L, -1);
    lua_setfield(L, -2, "roots");
    lua_replace(L, 2);
}

void mcp_answer_shape(lua_State *L, enum mcp_hook hook, int asked)
{
    if (hook == HOOK_ELICIT)
        shape_elicit(L, asked);
    else if (hook == HOOK_SAMPLE)
        shape_sample(L);
    else
        shape_roots(L);
}
