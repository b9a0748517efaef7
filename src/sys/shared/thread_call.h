/* A call of a binding whose work another thread does, while its task waits.
 *
 * A binding fills a call, starts it on libuv's pool, in a queue or on the desktop, and returns what
 * that returns. The results become Lua values on the loop, inside the task that waited. A task that
 * is cancelled just leaves its call: work that was begun is finished, unseen. All functions are for
 * the loop's thread. */
#ifndef PERIGEE_SYS_SHARED_THREAD_CALL_H
#define PERIGEE_SYS_SHARED_THREAD_CALL_H

#include <lua.h>
#include <stdatomic.h>

#include "base/serial_queue.h"
#include "platform/worker/worker.h"

struct thread_wait;

enum { DESKTOP_TIMEOUT_S = 10 }; /* seconds, for a call without an option for them */

/* The first part of a binding's own struct, which has arguments, then results. */
struct thread_call {
    /* Called on the other thread. Puts results into the call, or fills err. */
    bool (*run)(struct thread_call *call, struct error *err);
    /* Called in the waiting task after success. Pushes the results and returns their number. May
     * raise. NULL: pushes true. */
    int (*push)(lua_State *L, struct thread_call *call);
    /* Like `push`, but called after a failure, with `err`. NULL: pushes nil, err.text, err.code. */
    int (*fail)(lua_State *L, struct thread_call *call);
    struct error err;

    /* For calls on the pool, also those in a queue. */
    atomic_bool left; /* no task waits any more: run() may look, and stop early */
    bool more; /* run() sets it to be called again, after what others want meanwhile; no queue */

    /* For calls on the desktop: like the members of the job, and then what run() works with. */
    enum worker_queue queue;
    bool acts;
    enum job_elements elements;
    int pid;
    const struct platform_ops *ops;
    struct desktop *desktop;
    struct deadline *deadline;

    /* For the implementation only. */
    void (*clear)(struct thread_call *call);
    struct thread_wait *wait; /* NULL: no task waits any more; for the loop only */
    _Atomic int refs;
    bool ok;
    union {
        uv_work_t req;
        struct job job;
        struct serial_job serial;
    };
};

/* Pushes the owner of a zeroed call of `size` bytes, which begin with the call. clear() frees what
 * the call holds, filled or not, on any thread; NULL: it holds nothing. The collector frees the
 * call if the binding raises before it is started, or if the task ends. */
void *thread_call_new(lua_State *L, size_t size, void (*clear)(struct thread_call *call));

/* These park the task and are the last statement of a binding. They raise where a task may not
 * wait. Failures give nil, text, code. */
int thread_call_in_pool(lua_State *L, struct thread_call *call);
int thread_call_in_queue(lua_State *L, struct thread_call *call, struct serial_queue *queue);
/* Runs on a thread of the desktop's queue (platform/worker/worker.h). `options` is 0, or an
 * argument that is nil or a table. The table's `timeout` (seconds) is the time limit, otherwise
 * `seconds`. It is never more than the time that the task has left. */
int thread_call_on_desktop(lua_State *L, struct thread_call *call, int options, double seconds);

/* Raises unless the argument is none, nil or a table of these options (ends in NULL). Puts an empty
 * table in the place of one that is missing, so that bind_flag() and the like work on it. */
void desktop_check_options(lua_State *L, int options, const char *const *names);

#endif
