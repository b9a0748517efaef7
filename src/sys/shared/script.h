/* A script: Lua text that is not a tool, run once, with every tool as a function.
 *
 * A person's (perigee run, repl) or our own: it may require every sys module and write globals.
 * What a client sends runs elsewhere: guest/guest.h. */
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
    const char *folder; /* require() finds its files first; NULL: none. Copied */
    /* Told of each file there that require() looks for, before it is read, even if it is missing;
     * NULL: none. */
    void (*looked)(void *arg, const char *path);
    uint64_t timeout_ms;                /* 0: none */
    const struct call_reports *reports; /* for its tool calls; borrowed. NULL: none */
    struct task *parent;                /* waits for it; or NULL */

    void (*print)(void *arg, const char *text,
                  size_t len); /* a printed line; NULL: the parent's, else the log */
    /* Once. As task_spec.ended; the values are on task_lua(task). */
    void (*ended)(void *arg, struct task *task, enum task_end end, int nresults);
    void *arg;
};

/* Compiles and runs. `from` holds nargs values on top, the chunk's `...`; they are
 * popped. NULL and err ("syntax") when it does not compile; `ended` is not called then.
 * NULL without err's code: it ended at once. Borrowed until `ended` returns. */
struct script *script_run(struct registry *registry, lua_State *from, int nargs,
                          const struct script_spec *spec, struct error *err);
/* One more turn; false: it does not wait for its turn. Not from inside a task. */
bool script_turn(struct script *script);

void script_cancel(struct script *script);

/* The sandbox that scripts get; for the prompt of `repl`, with one set of globals. */
struct sandbox *script_sandbox(struct registry *registry, bool one_env);

#endif
