/* A script: Lua text that is not a tool, run once, with every tool as a function.
 *
 * It is a person's (perigee run, repl) or our own: it may require every sys module and write
 * globals. Scripts of clients run elsewhere: guest/guest.h. */
#ifndef PERIGEE_SYS_SHARED_SCRIPT_H
#define PERIGEE_SYS_SHARED_SCRIPT_H

#include "registry/registry.h"
#include "script/sandbox/sandbox.h"
#include "script/task.h"
#include "sys/shared/tool_call.h"

struct script;

struct script_spec {
    const char *name; /* for messages: "job.lua" */
    const char *text;
    size_t len;
    const char *folder; /* require() finds its files first; copied. NULL: none */
    /* Called for each file in that folder that require() looks for, before it is read, even if it
     * is missing. May be NULL. */
    void (*looked)(void *arg, const char *path);
    uint64_t timeout_ms;                /* 0: none */
    const struct call_reports *reports; /* for its tool calls; borrowed. NULL: none */
    struct task *parent;                /* the task that waits for it; or NULL */

    void (*print)(void *arg, const char *text,
                  size_t len); /* a printed line; NULL: the parent's, else the log */
    /* Called once, like task_spec.ended. The values are on task_lua(task). */
    void (*ended)(void *arg, struct task *task, enum task_end end, int nresults);
    void *arg;
};

/* Compiles and runs a script. `from` holds nargs values on top, the chunk's `...`; they are popped.
 * NULL and err ("syntax"): the text does not compile, and `ended` is not called. NULL without a
 * code in err: the script ended at once. Borrowed until `ended` returns. */
struct script *script_run(struct registry *registry, lua_State *from, int nargs,
                          const struct script_spec *spec, struct error *err);
/* Turns the script once more. False: it does not wait for its turn. Must not be called inside a
 * task. */
bool script_turn(struct script *script);

void script_cancel(struct script *script);

/* Makes the sandbox that scripts get. With one set of globals, for the prompt of `repl`. */
struct sandbox *script_sandbox(struct registry *registry, bool one_env);

#endif
