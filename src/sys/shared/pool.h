/* Work on libuv's thread pool that a task waits for.
 *
 * The work owns all it needs, so a task that is cancelled just leaves it: what was begun is
 * finished, unseen. It is the first member of a struct that holds what it needs. */
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

    bool (*run)(struct pool_work *work);               /* called on another thread; fills err */
    int (*push)(lua_State *L, struct pool_work *work); /* pushes the results; NULL: true */
    int (*fail)(lua_State *L, struct pool_work *work); /* NULL: nil, err.text, err.code */
    void (*free)(struct pool_work *work);              /* frees the struct that it is in */
    struct error err;
    bool ok;
    atomic_bool left; /* no task waits any more: run() may look, and stop early */
    bool more;        /* run() sets it to be called again, after what others want meanwhile */
};

/* Makes the metatable. luaopen functions may call it any number of times. */
void pool_init(lua_State *L);

/* Pushes a userdata with a zeroed struct of this size, which begins with its pool_work. The
 * userdata frees it by free_work() unless it runs. Raises where a task may not wait. */
void *pool_new(lua_State *L, size_t size, void (*free_work)(struct pool_work *work));

/* Runs the work and parks the task. The last statement of a binding. */
int pool_run(lua_State *L, struct pool_work *work);

#endif
