/* sys.task -- several things at once inside one call.
 *
 * Items run in tasks of their own whose parent waits in one op; their results
 * are collected on the parent's parked stack, where nothing can take them. */
#include "script/task.h"

#include <lauxlib.h>
#include <math.h>

#include "script/value.h"
#include "script/vm.h"
#include "script/wake.h"
#include "sys/sys.h"
#include "sys/task/anchor.h"
#include "sys/task/apart.h"
#include "sys/task/lock.h"
#include "sys/task/signal.h"

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
    bool valued;      /* ... with a value that is no text, on top of the parent's stack */
    lua_Integer at;   /* ... the item; 0: it could not be started */
    struct error why; /* ... */
    bool starting;    /* inside map_fill() */
    struct map_item running[MAP_LIMIT];
};

enum { AT_ITEMS = 1, AT_FN, AT_LIMIT, AT_RESULTS, AT_MAP };

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
    lua_rawgeti(L, AT_ITEMS, item->index); /* raw: this may run from the loop, unprotected */
    lua_pushinteger(L, item->index);
    item->task = task_new(L, 2, &spec, &err);
    if (!item->task) {
        map_stop(map); /* with no error on the stack */
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

/* What the parent will raise: the item's error, led by its index if it is a text. */
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
    return 1;
}

static int task_map(lua_State *L)
{
    lua_Integer count, limit;
    struct task *task;
    struct map *map;

    luaL_checktype(L, AT_ITEMS, LUA_TTABLE);
    luaL_checktype(L, AT_FN, LUA_TFUNCTION);
    limit = luaL_optinteger(L, AT_LIMIT, MAP_DEFAULT);
    luaL_argcheck(L, limit >= 1 && limit <= MAP_LIMIT, AT_LIMIT, "expected 1 to 64");
    count = (lua_Integer)lua_rawlen(L, AT_ITEMS);
    luaL_argcheck(L, count <= MAP_ITEMS, AT_ITEMS, "too many items");
    task = task_here(L);
    lua_settop(L, AT_LIMIT);
    lua_createtable(L, (int)count, 1); /* items, fn, limit, results */
    lua_pushinteger(L, count);
    lua_setfield(L, AT_RESULTS, "n");
    value_mark_array(L, AT_RESULTS); /* as JSON it is a list, also where results are nil */
    map = lua_newuserdatauv(L, sizeof *map, 0); /* ..., map */
    memset(map, 0, sizeof *map);
    map->op = (struct op){ task, map_cancel };
    map->count = count;
    map->next = 1;
    map->limit = (int)limit;
    luaL_checkstack(L, 16, "no room");
    map_fill(map);
    if (map_over(map))
        return map_finish(L, LUA_OK, 0);
    return task_park_then(L, &map->op, 0, map_finish);
}

/* --- with_timeout ------------------------------------------------------------------- */

struct timed {
    struct op op;
    struct task *child;
    enum task_end end;
};

static void timed_cancel(struct op *op)
{
    struct timed *timed = container_of(op, struct timed, op);
    struct task *child = timed->child;

    timed->child = NULL;
    if (child)
        task_cancel(child);
}

static void timed_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct timed *timed = arg;
    lua_State *L = task_lua(timed->op.task);
    struct error err;

    if (end != TASK_DONE)
        task_pass_place(task, timed->op.task);
    if (!timed->child)
        return;
    timed->child = NULL;
    timed->end = end;
    if (end == TASK_DONE && !lua_checkstack(L, nresults + 4)) {
        timed->end = TASK_FAILED;
        vm_push_shortage(L);
        task_wake(&timed->op, 2); /* the text */
    } else if (end == TASK_DONE || end == TASK_FAILED) {
        lua_xmove(task_lua(task), L, nresults);
        task_wake(&timed->op, nresults);
    } else {
        task_end_error(task, end, &err);
        task_wake_error(&timed->op, &err);
    }
}

static int timed_finish(lua_State *L, int status, lua_KContext context)
{
    struct timed *timed = lua_touserdata(L, 4);

    (void)status;
    (void)context;
    if (timed->end == TASK_FAILED)
        return lua_error(L);
    return lua_gettop(L) - 4;
}

/* sys.task.with_timeout(seconds, fn[, name]) -> fn's results | nil, text, "timeout" */
static int task_with_timeout(lua_State *L)
{
    lua_Number seconds = luaL_checknumber(L, 1);
    struct task *task;
    const char *name;
    struct timed *timed;
    struct error err;

    luaL_argcheck(L, seconds > 0 && seconds <= 86400, 1,
                  "expected more than 0, at most 86400 seconds");
    luaL_checktype(L, 2, LUA_TFUNCTION);
    task = task_here(L);
    name = luaL_optstring(L, 3, task_name(task));
    lua_settop(L, 3);
    timed = lua_newuserdatauv(L, sizeof *timed, 0); /* seconds, fn, name, timed */
    timed->op = (struct op){ task, timed_cancel };
    timed->end = TASK_DONE;
    lua_pushvalue(L, 2);
    timed->child = task_new(L, 0,
                            &(struct task_spec){ .name = name,
                                                 .timeout_ms = (uint64_t)ceil(seconds * 1000),
                                                 .parent = task,
                                                 .ended = timed_ended,
                                                 .arg = timed },
                            &err);
    if (!timed->child)
        return luaL_error(L, "%s", err.text);
    task_go(timed->child); /* queued: this task is running */
    return task_park_then(L, &timed->op, 0, timed_finish);
}

static int task_remaining_(lua_State *L)
{
    struct task *task = task_current(L);
    double left = task ? task_remaining(task) : -1;

    lua_pushnumber(L, left < 0 ? HUGE_VAL : left);
    return 1;
}

static const luaL_Reg task_funcs[] = { { "anchor", task_anchor },
                                       { "anchored", task_anchored },
                                       { "apart", task_apart },
                                       { "await", task_await },
                                       { "linger", task_linger },
                                       { "lock", task_lock },
                                       { "map", task_map },
                                       { "owner", task_owner },
                                       { "release", task_release },
                                       { "remaining", task_remaining_ },
                                       { "signal", task_signal },
                                       { "with_timeout", task_with_timeout },
                                       { NULL, NULL } };

int luaopen_sys_task(lua_State *L)
{
    task_anchor_init(L);
    task_apart_init(L);
    task_lock_init(L);
    task_signal_init(L);
    luaL_newlib(L, task_funcs);
    return 1;
}
