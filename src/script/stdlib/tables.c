/* table.concat, insert, move and remove: Lua's own loop for as long as their
 * numbers say, and a number costs nothing. */
#include "script/stdlib/tables.h"

#include <lauxlib.h>

#include "script/budget.h"

static bool has_field(lua_State *L, int meta, const char *name)
{
    bool has;

    lua_pushstring(L, name);
    has = lua_rawget(L, meta) != LUA_TNIL;
    lua_pop(L, 1);
    return has;
}

void tables_check(lua_State *L, int arg, int uses)
{
    int meta = lua_gettop(L) + 1;

    if (lua_istable(L, arg))
        return;
    if (!lua_getmetatable(L, arg) || ((uses & TABLE_READ) && !has_field(L, meta, "__index")) ||
        ((uses & TABLE_WRITE) && !has_field(L, meta, "__newindex")) ||
        ((uses & TABLE_LENGTH) && !has_field(L, meta, "__len")))
        luaL_checktype(L, arg, LUA_TTABLE); /* raises */
    lua_settop(L, meta - 1);
}

/* t[to] = from[at] */
static void copy(lua_State *L, int from, lua_Integer at, int t, lua_Integer to,
                 struct budget *budget)
{
    lua_geti(L, from, at);
    lua_seti(L, t, to);
    budget_step(budget, 1);
}

static int table_insert(lua_State *L)
{
    struct budget budget = { .L = L, .whole = true };
    lua_Integer last, pos;

    tables_check(L, 1, TABLE_READ | TABLE_WRITE | TABLE_LENGTH);
    last = (lua_Integer)((lua_Unsigned)luaL_len(L, 1) + 1);
    if (lua_gettop(L) == 2) {
        lua_seti(L, 1, last);
        return 0;
    }
    if (lua_gettop(L) != 3)
        return luaL_error(L, "wrong number of arguments to 'insert'");
    pos = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)pos - 1 < (lua_Unsigned)last, 2, "position out of bounds");
    for (; last > pos; last--)
        copy(L, 1, last - 1, 1, last, &budget);
    lua_seti(L, 1, pos);
    return 0;
}

static int table_remove(lua_State *L)
{
    struct budget budget = { .L = L, .whole = true };
    lua_Integer len, pos;

    tables_check(L, 1, TABLE_READ | TABLE_WRITE | TABLE_LENGTH);
    len = luaL_len(L, 1);
    pos = luaL_optinteger(L, 2, len);
    luaL_argcheck(L, pos == len || (lua_Unsigned)pos - 1 <= (lua_Unsigned)len, 2,
                  "position out of bounds");
    lua_geti(L, 1, pos); /* result */
    for (; pos < len; pos++)
        copy(L, 1, pos + 1, 1, pos, &budget);
    lua_pushnil(L);
    lua_seti(L, 1, pos);
    return 1;
}

/* Would a copy from the first to the last overwrite what it has still to read? */
static bool overlaps(lua_State *L, lua_Integer first, lua_Integer last, lua_Integer to, int dest)
{
    return to > first && to <= last && (dest == 1 || lua_compare(L, 1, dest, LUA_OPEQ));
}

static int table_move(lua_State *L)
{
    struct budget budget = { .L = L, .whole = true };
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    lua_Integer to = luaL_checkinteger(L, 4), count;
    int dest = lua_isnoneornil(L, 5) ? 1 : 5;

    tables_check(L, 1, TABLE_READ);
    tables_check(L, dest, TABLE_WRITE);
    if (last >= first) {
        luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3,
                      "too many elements to move");
        count = last - first + 1;
        luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
        if (overlaps(L, first, last, to, dest)) {
            for (lua_Integer i = count - 1; i >= 0; i--)
                copy(L, 1, first + i, dest, to + i, &budget);
        } else {
            for (lua_Integer i = 0; i < count; i++)
                copy(L, 1, first + i, dest, to + i, &budget);
        }
    }
    lua_pushvalue(L, dest);
    return 1;
}

static void add_element(lua_State *L, luaL_Buffer *result, lua_Integer i, struct budget *budget)
{
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
                   (LUAI_UACINT)i);
    luaL_addvalue(result);
    budget_step(budget, 1);
}

static int table_concat(lua_State *L)
{
    struct budget budget = { .L = L, .whole = true };
    struct str between;
    lua_Integer i, last;
    luaL_Buffer result;

    tables_check(L, 1, TABLE_READ | TABLE_LENGTH);
    last = luaL_len(L, 1);
    between.ptr = luaL_optlstring(L, 2, "", &between.len);
    i = luaL_optinteger(L, 3, 1);
    last = luaL_optinteger(L, 4, last);
    luaL_buffinit(L, &result);
    for (; i < last; i++) {
        add_element(L, &result, i, &budget);
        luaL_addlstring(&result, between.ptr, between.len);
    }
    if (i == last)
        add_element(L, &result, i, &budget);
    luaL_pushresult(&result);
    return 1;
}

void tables_set(lua_State *L)
{
    static const luaL_Reg funcs[] = { { "concat", table_concat }, { "insert", table_insert },
                                      { "move", table_move },     { "remove", table_remove },
                                      { "sort", tables_sort },    { NULL, NULL } };

    luaL_setfuncs(L, funcs, 0);
}
