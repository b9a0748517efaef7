/* What the bindings of a desktop share: one worker for the engine, and calls to it.
 *
 * A binding fills a call, gives it to desktop_call_start() and returns what that returns. The
 * work runs on a thread of its queue (platform/worker/worker.h); its results become Lua values on
 * the loop, inside the task that waited. All functions are for the loop's thread. */
#ifndef PERIGEE_SYS_SHARED_DESKTOP_H
#define PERIGEE_SYS_SHARED_DESKTOP_H

#include <lua.h>
#include <uv.h>

#include "platform/worker/worker.h"

/* --- the service ------------------------------------------------------------------ */

struct desktop_service;
struct desktop_pending;

/* vm_set_service() with its address lends a struct desktop_service to the bindings. */
extern const char desktop_service_key;

/* Opens nothing yet: the first call does (platform_native() says which desktop). The loop is kept
 * alive only while calls run. */
struct desktop_service *desktop_service_new(uv_loop_t *loop);

/* After the VM, whose tasks have calls under way; the loop has to turn once more. NULL is fine. */
void desktop_service_free(struct desktop_service *service);

/* The worker, made now if there is none. NULL: the module is missing, the variable names no
 * desktop, this VM has no service. Borrowed. */
struct worker *desktop_worker(lua_State *L, struct error *err);

/* The user's stop: ends running and waiting input and says how many actions that were; new input
 * is refused until it is allowed again. It counts also before there is a worker. */
int desktop_service_stop(struct desktop_service *service);
void desktop_service_allow(struct desktop_service *service);
bool desktop_service_stopped(const struct desktop_service *service);

/* The same for bindings. */
void desktop_input_stop(lua_State *L);
void desktop_input_allow(lua_State *L);
bool desktop_input_stopped(lua_State *L);

/* --- calls ------------------------------------------------------------------------ */

/* The first part of a binding's own struct: arguments, then results. */
struct desktop_call {
    struct job job; /* the binding sets nothing of it */

    enum worker_queue queue;
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

/* --- values ----------------------------------------------------------------------- */

enum { DESKTOP_COORDINATE_MAX = 1000000 }; /* points, either way */

/* A window out of a table with pid, started and id. Raises when it is none. */
struct window_ref desktop_check_window(lua_State *L, int arg);

/* An application out of a table with pid and started, into a window_ref without id. Raises. */
struct window_ref desktop_check_app(lua_State *L, int arg);

/* A point or size: finite and within DESKTOP_COORDINATE_MAX. Raises. */
double desktop_check_coordinate(lua_State *L, int arg);

/* {x=, y=, width=, height=}; width and height at least 1. Raises. */
struct rect desktop_check_rect(lua_State *L, int arg);

/* Pushes a number; a whole one as an integer, which is how people write points. */
void desktop_push_number(lua_State *L, double value);

/* Pushes {x=, y=, width=, height=}. */
void desktop_push_rect(lua_State *L, struct rect rect);

/* table[name] = value, for the table on top; an integer has the same 64 bits. */
void desktop_set_integer(lua_State *L, const char *name, uint64_t value);
void desktop_set_number(lua_State *L, const char *name, double value);
void desktop_set_flag(lua_State *L, const char *name, bool value);
void desktop_set_text(lua_State *L, const char *name, const char *value);

#endif
