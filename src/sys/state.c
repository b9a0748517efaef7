/* sys.state -- tables that outlive a reload: they hang on the registry, not on a generation. */
#include <lauxlib.h>

#include "registry/call/call.h"
#include "script/value.h"
#include "sys/sys.h"

enum { USERS_MAX = 50 }; /* number of users of a table that are remembered */

static const char tables_key, users_key;

/* Pushes registry[&key], which is a new table if there is none. */
static void push_kept(lua_State *L, const void *key)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

/* Returns the tool of the running call, or the task. NULL: a file is loaded, or a console looks. */
static const char *user_of(lua_State *L)
{
    struct task *task = task_current(L);
    struct call *call = call_above(task);

    if (call && call_of_console(call))
        return NULL;
    return call ? call_name(call) : task ? task_name(task) : NULL;
}

/* True if the user is in the list on top. */
static bool has_user(lua_State *L, size_t count, const char *user)
{
    bool found = false;

    for (size_t i = 1; i <= count && !found; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        found = strcmp(lua_tostring(L, -1), user) == 0;
        lua_pop(L, 1);
    }
    return found;
}

/* Adds the user to registry[&users_key][name], the list of those that opened the table. The name is
 * at 1. */
static void note_user(lua_State *L)
{
    const char *user = user_of(L);
    size_t count;

    if (!user)
        return;
    push_kept(L, &users_key); /* all */
    lua_pushvalue(L, 1);
    if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, 1);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    } /* all, users */
    count = lua_rawlen(L, -1);
    if (count < USERS_MAX && !has_user(L, count, user)) {
        lua_pushstring(L, user);
        lua_rawseti(L, -2, (lua_Integer)count + 1);
    }
    lua_pop(L, 2);
}

/* sys.state.open(name) -> the table of that name: registry[&tables_key][name] */
static int state_open(lua_State *L)
{
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    note_user(L);
    push_kept(L, &tables_key); /* name, tables */
    lua_pushvalue(L, 1);       /* name, tables, name */
    if (lua_rawget(L, 2) == LUA_TTABLE)
        return 1;
    lua_newtable(L); /* name, tables, nil, table */
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, 2); /* name, tables, nil, table */
    return 1;
}

/* sys.state.list() -> {{name =, users = {...}}, ...} */
static int state_list(lua_State *L)
{
    lua_Integer n = 0;

    lua_settop(L, 0);
    lua_newtable(L);
    value_mark_array(L, 1);
    push_kept(L, &tables_key);
    push_kept(L, &users_key); /* list, tables, users */
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
        lua_createtable(L, 0, 2); /* ..., name, table, row */
        lua_pushvalue(L, -3);
        lua_setfield(L, -2, "name");
        lua_pushvalue(L, -3);
        if (lua_rawget(L, 3) == LUA_TTABLE) /* a copy: the list may change */
            lua_createtable(L, (int)lua_rawlen(L, -1), 0);
        else
            lua_newtable(L); /* ..., row, users | nil, copy */
        value_mark_array(L, -1);
        for (lua_Integer i = 1; lua_istable(L, -2) && lua_rawgeti(L, -2, i) != LUA_TNIL; i++)
            lua_rawseti(L, -2, i);
        lua_settop(L, 8); /* list, tables, users, name, table, row, users | nil, copy */
        lua_setfield(L, 6, "users");
        lua_settop(L, 6);
        lua_rawseti(L, 1, ++n);
    }
    lua_settop(L, 1);
    return 1;
}

static const luaL_Reg state_funcs[] = { { "list", state_list },
                                        { "open", state_open },
                                        { NULL, NULL } };

int luaopen_sys_state(lua_State *L)
{
    luaL_newlib(L, state_funcs);
    return 1;
}
