/* sys.task.lock -- one at a time, in order of asking.
 *
 * Locks are known by name and live as long as a task holds or wants them. What a
 * task holds is a userdata whose __close gives it back, so a task that is
 * stopped gives its locks back too. While it waits here it is stopped by the
 * same means: its place on the stack of lock() is to be closed (lua_toclose),
 * since it may be given the lock and be cancelled before it runs again. */
#include <lauxlib.h>
#include <stdlib.h>

#include "base/list.h"
#include "script/bind.h"
#include "sys/task/lock.h"

#define HELD  "sys.task.Lock"
#define LOCKS "sys.task.locks"

struct lock {
    struct link link;    /* in locks() */
    struct link waiters; /* struct lock_hold, first come first */
    char *name;
};

/* Held, or waited for. */
struct lock_hold {
    struct op op;
    struct link link;  /* in lock->waiters while it waits */
    struct lock *lock; /* NULL: given back */
    bool handed_over;  /* lock() returns it: that it leaves that stack is no end */
};

static const char locks_key;

struct locks {
    struct link list;
};

static int locks_gc(lua_State *L)
{
    struct locks *locks = lua_touserdata(L, 1);

    /* The VM closes. Every lock is held by a task, whose own __gc frees it. */
    while (list_pop(&locks->list))
        ;
    return 0;
}

static struct locks *push_locks(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &locks_key);
    return lua_touserdata(L, -1);
}

static struct lock *find_lock(struct locks *locks, const char *name)
{
    list_each (link, &locks->list) {
        struct lock *lock = container_of(link, struct lock, link);

        if (strcmp(lock->name, name) == 0)
            return lock;
    }
    return NULL;
}

static struct lock *new_lock(struct locks *locks, const char *name)
{
    struct lock *lock = mem_zero(sizeof *lock);

    lock->name = mem_strdup(name);
    list_init(&lock->waiters);
    list_push(&locks->list, &lock->link);
    return lock;
}

/* Hands the lock to the next in line, or drops it. */
static void pass_on(struct lock *lock)
{
    struct link *next = list_pop(&lock->waiters);

    if (next) {
        struct lock_hold *hold = container_of(next, struct lock_hold, link);

        hold->lock = lock;
        task_wake(&hold->op, 0);
        return;
    }
    list_remove(&lock->link);
    free(lock->name);
    free(lock);
}

static int held_close(lua_State *L)
{
    struct lock_hold *hold = luaL_checkudata(L, 1, HELD);
    struct lock *lock = hold->lock;

    if (hold->handed_over) {
        hold->handed_over = false;
        return 0;
    }
    hold->lock = NULL;
    if (lock)
        pass_on(lock);
    return 0;
}

static int held_gc(lua_State *L)
{
    struct lock_hold *hold = luaL_checkudata(L, 1, HELD);

    hold->handed_over = false;
    return held_close(L);
}

/* The waiting task ends. */
static void held_cancel(struct op *op)
{
    struct lock_hold *hold = container_of(op, struct lock_hold, op);

    list_remove(&hold->link);
}

/* A userdata at index 2 that holds nothing yet. */
static struct lock_hold *push_held(lua_State *L, struct task *task)
{
    struct lock_hold *hold = lua_newuserdatauv(L, sizeof *hold, 0);

    *hold = (struct lock_hold){ .op = { task, held_cancel } };
    list_init(&hold->link);
    luaL_setmetatable(L, HELD);
    return hold;
}

static int lock_held(lua_State *L, int status, lua_KContext context)
{
    struct lock_hold *hold = lua_touserdata(L, 2);

    (void)status;
    (void)context;
    hold->handed_over = true;
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    return 1;
}

/* sys.task.lock(name) -> a value to close */
int task_lock(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    struct task *task = task_here(L);
    struct locks *locks;
    struct lock *lock;
    struct lock_hold *hold;

    lua_settop(L, 1);
    hold = push_held(L, task); /* name, hold */
    locks = push_locks(L);     /* name, hold, locks */
    lock = find_lock(locks, name);
    if (lock) {
        lua_toclose(L, 2);
        list_push(&lock->waiters, &hold->link);
        return task_park_then(L, &hold->op, 0, lock_held);
    }
    hold->lock = new_lock(locks, name);
    lua_settop(L, 2);
    return 1;
}

/* Made before any lock is held, so that it is collected after all of them. */
void task_lock_init(lua_State *L)
{
    static const luaL_Reg held_meta[] = { { "__close", held_close },
                                          { "__gc", held_gc },
                                          { NULL, NULL } };
    static const luaL_Reg locks_meta[] = { { "__gc", locks_gc }, { NULL, NULL } };
    struct locks *locks;

    bind_metatable(L, HELD, held_meta, NULL);
    bind_metatable(L, LOCKS, locks_meta, NULL);
    locks = lua_newuserdatauv(L, sizeof *locks, 0); /* locks */
    list_init(&locks->list);
    luaL_setmetatable(L, LOCKS);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &locks_key); /* - */
}
