/* A call of a binding to the desktop.
 *
 * A binding fills a call, gives it to desktop_call_start() and returns what that returns. The
 * work runs on a thread of its queue (platform/worker/worker.h); its results become Lua values on
 * the loop, inside the task that waited. All functions are for the loop's thread. */
#ifndef PERIGEE_SYS_SHARED_DESKTOP_CALL_H
#define PERIGEE_SYS_SHARED_DESKTOP_CALL_H

#include <lua.h>

#include "platform/worker/worker.h"

struct desktop_pending;

enum { DESKTOP_TIMEOUT_S = 10 }; /* seconds, for a call without an option for them */

/* The first part of a binding's own struct, which has arguments, then results. */
struct desktop_call {
    struct job job; /* set by desktop_call_start() alone */

    enum worker_queue queue;
    bool acts; /* it changes something, so a timeout says that it may have done so */
    enum job_elements elements;
    int pid; /* like `pid` of the job */
    /* Called on a thread of the queue. Puts results into the call. */
    bool (*run)(struct desktop_call *call, const struct platform_ops *ops, struct desktop *desktop,
                struct deadline *deadline, struct error *err);
    /* Called in the waiting task after success. Pushes the results and returns their number. May
     * raise. */
    int (*push)(lua_State *L, struct desktop_call *call);
    /* Like `push`, but called after a failure. Its results follow nil, text, code. May be NULL. */
    int (*fail)(lua_State *L, struct desktop_call *call);
    /* Frees what the call holds, filled or not. Called on any thread. May be NULL. */
    void (*clear)(struct desktop_call *call);

    uint64_t wait_ms; /* all the time that the call has, set by desktop_call_start() */

    /* The rest is for the service alone. */
    struct desktop_pending *pending; /* for the loop only */
    _Atomic int refs;
};

/* Pushes the owner of a zeroed call of `size` bytes, which begin with the call. The collector frees
 * it if the binding raises before the call is started, or if the task ends. */
void *desktop_call_new(lua_State *L, size_t size);

/* Starts the call on top of the stack and parks the task; the binding returns its result. `options`
 * is 0, or an argument that is nil or a table. The table's `timeout` (seconds) is the time limit,
 * otherwise `seconds`. It is never more than the time that the task has left. Failures give nil,
 * text, code. */
int desktop_call_start(lua_State *L, int options, double seconds);

/* Raises unless the argument is none, nil or a table of these options (ends in NULL). Puts an empty
 * table in the place of one that is missing, so that bind_flag() and the like work on it. */
void desktop_check_options(lua_State *L, int options, const char *const *names);

#endif
