/* sys.console.reload -- looks at the files again, in turns with calls, and says what changed. */
#include <lauxlib.h>

#include "registry/file_changes.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/vm.h"
#include "sys/console/pieces.h"
#include "sys/shared/tool_call.h"

static const char RELOADING[] = "sys.console.reloading";

struct reloading {
    struct op op;
    struct wakeup over;
    struct file_states *before;
    bool told, parked;
};

static int reloading_gc(lua_State *L)
{
    struct reloading *reloading = lua_touserdata(L, 1);

    list_remove(&reloading->over.link);
    file_states_free(reloading->before);
    reloading->before = NULL;
    return 0;
}

static void reloading_cancel(struct op *op)
{
    list_remove(&container_of(op, struct reloading, op)->over.link);
}

static void on_reload_over(struct wakeup *wakeup)
{
    struct reloading *reloading = container_of(wakeup, struct reloading, over);

    reloading->told = true;
    if (reloading->parked)
        task_wake(&reloading->op, 0);
}

/* Adds the path to a list of the table on top, which has a list for each change. */
static void add_change(void *arg, enum file_change change, const char *path)
{
    static const char *const names[] = { "added", "changed", "removed" };
    lua_State *L = arg;

    lua_getfield(L, -1, names[change]);
    lua_pushstring(L, path);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
}

/* Returns {added =, changed =, removed =, generation =}. */
static int after_reload(lua_State *L, int status, lua_KContext context)
{
    struct reloading *reloading = lua_touserdata(L, 1);
    struct registry *registry = sys_registry(L);
    static const char *const lists[] = { "added", "changed", "removed" };

    (void)status;
    (void)context;
    lua_createtable(L, 0, 4);
    for (size_t i = 0; i < countof(lists); i++) {
        lua_newtable(L);
        value_mark_array(L, -1);
        lua_setfield(L, -2, lists[i]);
    }
    file_states_compare(reloading->before, registry, add_change, L);
    lua_pushinteger(L, registry_current(registry)->number);
    lua_setfield(L, -2, "generation");
    return 1;
}

/* sys.console.reload() */
int console_reload(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", reloading_gc }, { NULL, NULL } };
    struct task *task = task_here(L);
    struct registry *registry = sys_registry(L);
    struct reloading *reloading;

    lua_settop(L, 0);
    bind_metatable(L, RELOADING, meta, NULL);
    reloading = lua_newuserdatauv(L, sizeof *reloading, 0); /* reloading */
    *reloading = (struct reloading){ .op = { task, reloading_cancel, "files to load", NULL },
                                     .over.wake = on_reload_over };
    list_init(&reloading->over.link);
    luaL_setmetatable(L, RELOADING);
    registry_current(registry);
    reloading->before = file_states_take(registry);
    registry_reload_in_turns(registry, &reloading->over);
    if (reloading->told)
        return after_reload(L, LUA_OK, 0);
    reloading->parked = true;
    return task_park_then(L, &reloading->op, 0, after_reload);
}
