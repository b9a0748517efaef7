/* sys.task.await, sys.task.signal -- waiting, by name, for what another task does. A signal that no
 * task awaits is lost, so a task looks before it awaits one. */
#include "sys/task/signal.h"

#include <lauxlib.h>

#include "base/list.h"
#include "script/bind.h"
#include "script/task.h"

#define WAITERS "sys.task.waiters"

struct waiter {
    struct op op;
    struct link link; /* in the VM's list, as long as it waits */
    const char *name; /* on the parked stack */
};

static const char waiters_key;

static int waiters_gc(lua_State *L)
{
    struct link *waiters = lua_touserdata(L, 1);

    /* The VM closes: tasks that wait are gone. */
    while (list_pop(waiters))
        ;
    return 0;
}

static struct link *get_waiters(lua_State *L)
{
    struct link *waiters;

    lua_rawgetp(L, LUA_REGISTRYINDEX, &waiters_key);
    waiters = lua_touserdata(L, -1);
    lua_pop(L, 1); /* the registry keeps it */
    return waiters;
}

static void waiter_cancel(struct op *op)
{
    list_remove(&container_of(op, struct waiter, op)->link);
}

/* sys.task.await(name) */
int task_await(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    struct task *task = task_here(L);
    struct waiter *waiter;

    lua_settop(L, 1);
    waiter = lua_newuserdatauv(L, sizeof *waiter, 0); /* name, waiter */
    *waiter = (struct waiter){ .op = { task, waiter_cancel, "the signal", name }, .name = name };
    list_push(get_waiters(L), &waiter->link);
    return task_park(L, &waiter->op);
}

/* sys.task.signal(name): wakes tasks that may end others that it is to wake */
int task_signal(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    struct link woken, *link, *waiters = get_waiters(L);

    if (!waiters)
        return 0; /* nobody has opened the module */
    list_init(&woken);
    for (link = waiters->next; link != waiters;) {
        struct waiter *waiter = container_of(link, struct waiter, link);

        link = link->next;
        if (strcmp(waiter->name, name) == 0) {
            list_remove(&waiter->link);
            list_push(&woken, &waiter->link);
        }
    }
    while ((link = list_pop(&woken)) != NULL)
        task_wake(&container_of(link, struct waiter, link)->op, 0);
    return 0;
}

/* Makes the list before any task waits here, so that it is collected after all of them. */
void task_signal_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", waiters_gc }, { NULL, NULL } };
    struct link *waiters;

    bind_metatable(L, WAITERS, meta, NULL);
    waiters = lua_newuserdatauv(L, sizeof *waiters, 0); /* waiters */
    list_init(waiters);
    luaL_setmetatable(L, WAITERS);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &waiters_key); /* - */
}
