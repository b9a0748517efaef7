/* Work on libuv's thread pool that a task waits for.
 *
 * It owns all it needs, so a task that is cancelled just leaves it: what was begun is finished,
 * unseen. It is the first member of a struct that holds what the work needs. */
#ifndef PERIGEE_SYS_SHARED_POOL_H
#define PERIGEE_SYS_SHARED_POOL_H

#include <lua.h>
#include <stdatomic.h>
#include <uv.h>

#include "base/error.h"
#include "script/task.h"

struct pool_wait;

struct pool_work {
    uv_work_t req;
    struct pool_wait *wait; /* NULL: no task waits any more */

    bool (*run)(struct pool_work *work);               /* on another thread: fills err */
    int (*push)(lua_State *L, struct pool_work *work); /* the results; NULL: true */
    int (*fail)(lua_State *L, struct pool_work *work); /* NULL: nil, err.text, err.code */
    void (*free)(struct pool_work *work);              /* with the struct it is in */
    struct error err;
    bool ok;
    atomic_bool left; /* no task waits any more: run() may look, and stop early */
    bool more;        /* run() sets it: it is to be run again, behind what others want meanwhile */
};

/* The metatable; from luaopen functions, any number of times. */
void pool_init(lua_State *L);

/* A zeroed struct of this size, which begins with its pool_work, in a userdata that is pushed and
 * frees it by free_work() unless it runs. Raises where a task may not wait. */
void *pool_new(lua_State *L, size_t size, void (*free_work)(struct pool_work *work));

/* Runs it and parks the task; the last statement of a binding. */
int pool_run(lua_State *L, struct pool_work *work);

#endif
