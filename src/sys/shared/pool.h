/* Work on libuv's thread pool that a task waits for.
 *
 * A job owns all it needs, so a task that is cancelled just walks away from it: what was begun
 * is done, unseen. It is the first member of a struct that holds what the work needs. */
#ifndef PERIGEE_SYS_SHARED_POOL_H
#define PERIGEE_SYS_SHARED_POOL_H

#include <lua.h>
#include <uv.h>

#include "base/error.h"
#include "script/task.h"

struct pool_wait;

struct pool_job {
    uv_work_t req;
    struct pool_wait *wait; /* NULL: nobody waits any more */

    bool (*work)(struct pool_job *job);              /* on another thread: fills err */
    int (*push)(lua_State *L, struct pool_job *job); /* the results; NULL: true */
    int (*fail)(lua_State *L, struct pool_job *job); /* NULL: nil, err.text, err.code */
    void (*free)(struct pool_job *job);              /* with the struct it is in */
    struct error err;
    bool ok;
};

/* The metatable; from luaopen functions, any number of times. */
void pool_init(lua_State *L);

/* A zeroed struct of this size, which begins with its pool_job, in a userdata that is pushed and
 * frees it by free_job() unless it runs. Raises where a task may not wait. */
void *pool_new(lua_State *L, size_t size, void (*free_job)(struct pool_job *job));

/* Runs the job and parks the task; the last statement of a binding. */
int pool_run(lua_State *L, struct pool_job *job);

#endif
