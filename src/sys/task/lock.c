/* sys.task.lock -- one task at a time, in order of asking.
 *
 * Locks are known by name and live as long as a task holds or wants them. A task holds a lock by a
 * userdata. Its __close gives the lock back, and so does the end of the task.
 *
 * A task would wait for itself if it holds the lock already, or if a task that waits for it does:
 * that is an error at once. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "script/bind.h"
#include "sys/task/lock.h"

#define HELD  "sys.task.Lock"
#define LOCKS "sys.task.locks"

struct lock {
    struct link link;       /* in locks() */
    struct link waiters;    /* struct lock_hold, first come first */
    struct lock_hold *held; /* the hold of the task that has it */
    char *name;
};

/* A lock that a task holds, or waits for. */
struct lock_hold {
    struct op op; /* its task; only read while it waits or holds */
    struct task_hook hook;
    struct link link;  /* in lock->waiters while it waits */
    struct lock *lock; /* NULL: given back, or not held yet */
    char place[80];    /* FILE:LINE of the call that asked for it; "": none */
};

static const char locks_key;

struct locks {
    struct link list;
};

static int locks_gc(lua_State *L)
{
    struct locks *locks = lua_touserdata(L, 1);

    /* The VM closes. Each lock is held by a task, and its __gc frees the lock. */
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

static void lock_take(struct lock *lock, struct lock_hold *hold)
{
    lock->held = hold;
    hold->lock = lock;
    task_at_end(hold->op.task, &hold->hook);
}

/* Hands the lock to the next in line, or drops it. */
static void lock_give_back(struct lock_hold *hold)
{
    struct lock *lock = hold->lock;
    struct link *next;

    list_remove(&hold->hook.link);
    hold->lock = NULL;
    if (!lock)
        return;
    next = list_pop(&lock->waiters);
    if (next) {
        struct lock_hold *other = container_of(next, struct lock_hold, link);

        lock_take(lock, other);
        task_wake(&other->op, 0);
        return;
    }
    list_remove(&lock->link);
    free(lock->name);
    free(lock);
}

/* Called also for a task that was given the lock and is ended before it knows. */
static void on_task_end(struct task_hook *hook)
{
    lock_give_back(container_of(hook, struct lock_hold, hook));
}

static int held_close(lua_State *L)
{
    lock_give_back(luaL_checkudata(L, 1, HELD));
    return 0;
}

/* Called when the waiting task ends. */
static void held_cancel(struct op *op)
{
    struct lock_hold *hold = container_of(op, struct lock_hold, op);

    list_remove(&hold->link);
}

/* Pushes a userdata that holds nothing yet. */
static struct lock_hold *push_held(lua_State *L, struct task *task, const char *name)
{
    struct lock_hold *hold = lua_newuserdatauv(L, sizeof *hold, 0);
    lua_Debug caller;

    *hold = (struct lock_hold){ .op = { task, held_cancel, "the lock", name },
                                .hook = { .fn = on_task_end, .last = true } };
    list_init(&hold->link);
    list_init(&hold->hook.link);
    luaL_setmetatable(L, HELD);
    if (lua_getstack(L, 1, &caller) && lua_getinfo(L, "Sl", &caller) && caller.currentline > 0)
        snprintf(hold->place, sizeof hold->place, "%s:%d", caller.short_src, caller.currentline);
    return hold;
}

/* Raises if the task would wait for itself. */
static void check_order(lua_State *L, struct task *task, const struct lock *lock)
{
    const struct task *holder = lock->held->op.task;

    if (holder == task)
        luaL_error(L,
                   "this task holds the lock '%s' already, since %s, and would wait for itself. "
                   "Take it once, around both places",
                   lock->name, lock->held->place);
    if (task_holds_up(task, holder))
        luaL_error(L,
                   "a task that waits for this one holds the lock '%s', since %s: neither could go "
                   "on. Take it once, around both places",
                   lock->name, lock->held->place);
}

static int lock_held(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    lua_settop(L, 2);
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
    hold = push_held(L, task, name); /* name, hold */
    locks = push_locks(L);           /* name, hold, locks */
    lock = find_lock(locks, name);
    if (lock) {
        check_order(L, task, lock);
        list_push(&lock->waiters, &hold->link);
        return task_park_then(L, &hold->op, 0, lock_held);
    }
    lock_take(new_lock(locks, name), hold);
    lua_settop(L, 2);
    return 1;
}

/* Made before any lock is held, so that it is collected after all of them. */
void task_lock_init(lua_State *L)
{
    static const luaL_Reg held_meta[] = { { "__close", held_close },
                                          { "__gc", held_close },
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
