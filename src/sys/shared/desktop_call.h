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

enum { DESKTOP_TIMEOUT_S = 10 }; /* for a call without an option for it */

/* The first part of a binding's own struct: arguments, then results. */
struct desktop_call {
    struct job job; /* the binding sets nothing of it */

    enum worker_queue queue;
    bool acts; /* it changes something: a timeout then says that it may have */
    enum job_elements elements;
    int pid; /* as that of the job */
    /* On a thread of the queue; results go into the call. */
    bool (*run)(struct desktop_call *call, const struct platform_ops *ops, struct desktop *desktop,
                struct deadline *deadline, struct error *err);
    /* In the task that waits, after success: pushes the results and says how many. May raise. */
    int (*push)(lua_State *L, struct desktop_call *call);
    /* The same after a failure, behind nil, text, code; or NULL. */
    int (*fail)(lua_State *L, struct desktop_call *call);
    /* Frees what the call holds, filled or not. On any thread; or NULL. */
    void (*clear)(struct desktop_call *call);

    uint64_t wait_ms; /* all the time it has, set by desktop_call_start() */

    /* The service's own. */
    struct desktop_pending *pending; /* for the loop only */
    _Atomic int refs;
};

/* Pushes the owner of a zeroed call of `size` bytes: when the binding raises before it is
 * started, or the task ends, the collector ends it. The start of the memory is the call. */
void *desktop_call_new(lua_State *L, size_t size);

/* Starts the call on top of the stack and parks the task; the binding returns its result.
 * `options` is 0 or the argument that is nil or a table whose `timeout` (seconds) is taken, else
 * `seconds`; the time that the task has left limits both. Failures give nil, text, code. */
int desktop_call_start(lua_State *L, int options, double seconds);

/* Raises unless the argument is none, nil or a table of these options (ends in NULL). Puts an empty
 * table in the place of one that is missing, so that bind_flag() and the like work on it. */
void desktop_check_options(lua_State *L, int options, const char *const *names);

#endif
