/* sys.task.map -- calls a function for each item of a list, several at once.
 *
 * Items run in tasks of their own, whose parent waits in one op. Their results are collected on the
 * parent's parked stack, where nothing can take them. With `collect` a function of ours calls each
 * item's function and keeps its error. */
#include "sys/task/map.h"

#include <lauxlib.h>

#include "script/bind.h"
#include "script/show.h"
#include "script/task.h"
#include "script/value.h"

enum { MAP_LIMIT = 64, MAP_DEFAULT = 8, MAP_ITEMS = 1000000 };

struct map_item {
    struct map *map;
    struct task *task; /* NULL: this place is free */
    lua_Integer index;
};

struct map {
    struct op op;
    lua_Integer count, next;
    int limit, active;
    bool failed;
    bool valued;      /* failed with a value that is no text, on top of the parent's stack */
    lua_Integer at;   /* the item that failed; 0: it could not be started */
    struct error why; /* the error of that item */
    bool starting;    /* inside map_fill() */
    struct map_item running[MAP_LIMIT];
};

enum { AT_ITEMS = 1, AT_FN, AT_ERRORS, AT_RESULTS, AT_MAP };

enum { AT_OPTIONS = AT_ERRORS }; /* before they are read */

static void map_cancel_items(struct map *map)
{
    for (int i = 0; i < map->limit; i++) {
        struct task *task = map->running[i].task;

        map->running[i].task = NULL;
        if (task)
            task_cancel(task);
    }
}

static void map_cancel(struct op *op)
{
    map_cancel_items(container_of(op, struct map, op));
}

static bool map_over(const struct map *map)
{
    return map->failed || (map->active == 0 && map->next > map->count);
}

static void item_ended(void *arg, struct task *task, enum task_end end, int nresults);

static void map_stop(struct map *map)
{
    map->failed = true;
    map_cancel_items(map);
}

static void map_start(struct map *map, struct map_item *item)
{
    lua_State *L = task_lua(map->op.task);
    struct error err;
    struct task_spec spec = {
        .name = task_name(map->op.task), .parent = map->op.task, .ended = item_ended, .arg = item
    };

    item->map = map;
    item->index = map->next++;
    lua_pushvalue(L, AT_FN);
    lua_rawgeti(L, AT_ITEMS, item->index); /* raw, since this may run from the loop, unprotected */
    lua_pushinteger(L, item->index);
    item->task = task_new(L, 2, &spec, &err);
    if (!item->task) {
        map_stop(map); /* there is no error on the stack */
        return;
    }
    map->active++;
    task_go(item->task);
}

static void map_fill(struct map *map)
{
    map->starting = true;
    for (int i = 0; i < map->limit && map->next <= map->count && !map->failed; i++)
        while (!map->running[i].task && map->next <= map->count && !map->failed)
            map_start(map, &map->running[i]);
    map->starting = false;
}

/* Keeps the error that the parent will raise. An error that is a text will be led by the index of
 * its item. */
static void map_fail(struct map *map, struct map_item *item, struct task *task, enum task_end end)
{
    lua_State *from = task_lua(task);

    map->at = item->index;
    if (end != TASK_FAILED) {
        task_end_error(task, end, &map->why);
    } else if (lua_isstring(from, -1)) {
        task_error(task, &map->why, NULL);
    } else {
        lua_pushvalue(from, -1);
        lua_xmove(from, task_lua(map->op.task), 1);
        map->valued = true;
    }
    map_stop(map);
}

static void item_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct map_item *item = arg;
    struct map *map = item->map;
    lua_State *from = task_lua(task);
    lua_State *L = task_lua(map->op.task);

    if (end != TASK_DONE)
        task_pass_place(task, map->op.task);
    if (!item->task || map->failed)
        return; /* cancelled with the others */
    item->task = NULL;
    map->active--;
    if (end != TASK_DONE) {
        map_fail(map, item, task, end);
    } else if (nresults > 0) {
        lua_settop(from, lua_gettop(from) - nresults + 1); /* first result on top */
        lua_xmove(from, L, 1);
        lua_rawseti(L, AT_RESULTS, item->index);
    }
    if (map->starting)
        return;
    if (!map->failed)
        map_fill(map);
    if (map_over(map))
        task_wake(&map->op, 0);
}

/* --- errors that are collected --------------------------------------------------------- */

/* Called with (item, index, ...). Sets errors[index] = { index =, message =, code = }. */
static int note_error(lua_State *L, const char *message, const char *code)
{
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "index");
    lua_pushstring(L, message);
    lua_setfield(L, -2, "message");
    lua_pushstring(L, code);
    lua_setfield(L, -2, "code");
    lua_rawseti(L, lua_upvalueindex(2), lua_tointeger(L, 2));
    return 0;
}

/* Called with (item, index, results... | error). */
static int item_done(lua_State *L, int status, lua_KContext context)
{
    const char *message;

    (void)context;
    if (status == LUA_OK || status == LUA_YIELD) {
        if (!lua_isnil(L, 3) || lua_type(L, 4) != LUA_TSTRING)
            return lua_gettop(L) - 2;
        return note_error(L, lua_tostring(L, 4),
                          lua_type(L, 5) == LUA_TSTRING ? lua_tostring(L, 5) : "failed");
    }
    if (task_late(L))
        return lua_error(L); /* it ends the task */
    message = lua_tostring(L, 3);
    if (!message)
        return note_error(L, show_push_error(L, 3), "runtime");
    return note_error(L, message, strstr(message, "not enough memory") ? "memory" : "runtime");
}

/* Called with (item, index). The upvalues are the function and the errors. */
static int call_item(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    return item_done(L, lua_pcallk(L, 2, LUA_MULTRET, 0, 0, item_done), 0);
}

/* Pushes the errors as a list in the order of their items. */
static void push_errors(lua_State *L, const struct map *map)
{
    lua_Integer n = 0;

    lua_newtable(L);
    value_mark_array(L, -1);
    for (lua_Integer i = 1; i <= map->count; i++)
        if (lua_rawgeti(L, AT_ERRORS, i) == LUA_TTABLE)
            lua_rawseti(L, -2, ++n);
        else
            lua_pop(L, 1);
}

/* --- the whole ----------------------------------------------------------------------------- */

static int map_finish(lua_State *L, int status, lua_KContext context)
{
    struct map *map = lua_touserdata(L, AT_MAP);

    (void)status;
    (void)context;
    if (map->failed && map->at && !map->valued)
        lua_pushfstring(L, "item %I: %s", (LUAI_UACINT)map->at, map->why.text);
    else if (map->failed && !map->valued)
        lua_pushliteral(L, "not enough memory");
    if (map->failed)
        return lua_error(L);
    lua_pushvalue(L, AT_RESULTS);
    if (!lua_istable(L, AT_ERRORS))
        return 1;
    push_errors(L, map);
    return 2;
}

/* Reads the third argument, a number or a table. Leaves `errors`, or nothing, in its place. Returns
 * the limit. */
static int read_map_options(lua_State *L)
{
    static const char *const names[] = { "limit", "collect", NULL };
    bool is_table = lua_istable(L, AT_OPTIONS), collect = false;
    lua_Integer limit;

    if (is_table) {
        bind_check_options(L, AT_OPTIONS, names);
        collect = bind_flag(L, AT_OPTIONS, "collect");
        limit = (lua_Integer)bind_number(L, AT_OPTIONS, "limit", MAP_DEFAULT, 1, MAP_LIMIT);
    } else {
        limit = luaL_optinteger(L, AT_OPTIONS, MAP_DEFAULT);
        luaL_argcheck(L, limit >= 1 && limit <= MAP_LIMIT, AT_OPTIONS, "expected 1 to 64");
    }
    lua_settop(L, AT_FN);
    if (collect) {
        lua_newtable(L); /* items, fn, errors */
        lua_pushvalue(L, AT_FN);
        lua_pushvalue(L, AT_ERRORS);
        lua_pushcclosure(L, call_item, 2);
        lua_replace(L, AT_FN);
    }
    lua_settop(L, AT_ERRORS);
    return (int)limit;
}

/* sys.task.map(items, fn [, limit | options]) -> results [, errors] */
int task_map(lua_State *L)
{
    struct task *task = task_here(L);
    lua_Integer count;
    int limit;
    struct map *map;

    luaL_checktype(L, AT_ITEMS, LUA_TTABLE);
    luaL_checktype(L, AT_FN, LUA_TFUNCTION);
    count = (lua_Integer)lua_rawlen(L, AT_ITEMS);
    luaL_argcheck(L, count <= MAP_ITEMS, AT_ITEMS, "too many items");
    limit = read_map_options(L);       /* items, fn, errors */
    lua_createtable(L, (int)count, 1); /* items, fn, errors, results */
    lua_pushinteger(L, count);
    lua_setfield(L, AT_RESULTS, "n");
    value_mark_array(L, AT_RESULTS); /* as JSON it is a list, also where results are nil */
    map = lua_newuserdatauv(L, sizeof *map, 0); /* ..., map */
    memset(map, 0, sizeof *map);
    map->op = (struct op){ task, map_cancel, OP_TASKS, NULL };
    map->count = count;
    map->next = 1;
    map->limit = limit;
    luaL_checkstack(L, 16, "no room");
    map_fill(map);
    if (map_over(map))
        return map_finish(L, LUA_OK, 0);
    return task_park_then(L, &map->op, 0, map_finish);
}
