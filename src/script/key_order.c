/* An ordered table has a metatable { [&order_key] = keys }. Objects with the same names in the same
 * order share one while any of them lives: long lists are mostly of such. */
#include "script/key_order.h"

#include <lauxlib.h>

#include "json/document.h"

enum { ORDER_SHARED = 64 }; /* names; a larger object has a list of its own */

static const char order_key, orders_key; /* their addresses are the names */

void key_order_init(lua_State *L)
{
    lua_newtable(L);               /* orders: names -> metatable */
    lua_createtable(L, 0, 1);      /* orders, mt */
    lua_pushliteral(L, "v");       /* orders, mt, "v" */
    lua_setfield(L, -2, "__mode"); /* orders, mt */
    lua_setmetatable(L, -2);       /* orders */
    lua_rawsetp(L, LUA_REGISTRYINDEX, &orders_key);
}

void key_order_mark(lua_State *L, int index, int order)
{
    index = lua_absindex(L, index);
    order = lua_absindex(L, order);
    lua_createtable(L, 0, 2);           /* mt */
    lua_pushvalue(L, order);            /* mt, order */
    lua_rawsetp(L, -2, &order_key);     /* mt */
    lua_pushboolean(L, 0);              /* mt, false */
    lua_setfield(L, -2, "__metatable"); /* mt */
    lua_setmetatable(L, index);
}

bool key_order_push(lua_State *L, int index)
{
    if (!lua_getmetatable(L, index)) /* mt */
        return false;
    if (lua_rawgetp(L, -1, &order_key) == LUA_TTABLE) {
        lua_remove(L, -2); /* order */
        return true;
    }
    lua_pop(L, 2);
    return false;
}

static bool comes_before(struct str a, struct str b)
{
    int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);

    return order ? order < 0 : a.len < b.len;
}

static bool is_sorted(const cJSON *node)
{
    struct str before = { "", 0 };

    for (const cJSON *item = node->child; item; item = item->next) {
        struct str name = json_name(item);

        if (comes_before(name, before))
            return false;
        before = name;
    }
    return true;
}

/* Pushes all names as one string. */
static void push_joined_names(lua_State *L, const cJSON *node)
{
    luaL_Buffer joined;

    luaL_buffinit(L, &joined);
    for (const cJSON *item = node->child; item; item = item->next) {
        struct str name = json_name(item);

        luaL_addlstring(&joined, name.ptr, name.len);
        luaL_addchar(&joined, '\0');
    }
    luaL_pushresult(&joined);
}

static void push_names(lua_State *L, const cJSON *node, int count)
{
    lua_Integer i = 0;

    lua_createtable(L, count, 0); /* names */
    for (const cJSON *item = node->child; item; item = item->next) {
        struct str name = json_name(item);

        lua_pushlstring(L, name.ptr, name.len);
        lua_rawseti(L, -2, ++i);
    }
}

void key_order_keep(lua_State *L, const cJSON *node, int count)
{
    int table = lua_gettop(L);

    if (is_sorted(node))
        return;
    if (count > ORDER_SHARED) {
        push_names(L, node, count);
        key_order_mark(L, table, -1);
        lua_settop(L, table);
        return;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &orders_key); /* orders */
    push_joined_names(L, node);                     /* orders, joined */
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TTABLE) { /* orders, joined, mt */
        lua_setmetatable(L, table);
        lua_settop(L, table);
        return;
    }
    lua_pop(L, 1);
    push_names(L, node, count); /* orders, joined, names */
    key_order_mark(L, table, -1);
    lua_pop(L, 1);
    lua_getmetatable(L, table); /* orders, joined, mt */
    lua_rawset(L, -3);          /* orders[joined] = mt */
    lua_settop(L, table);
}
