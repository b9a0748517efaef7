/* Looking on while tasks run: for `perigee trace`, `time` and `profile`.
 *
 * A task that is made with a probe, and every task that it starts, reports to it. There is one hook
 * of each coroutine, the one of budget.c, which looks at the clock every so many instructions: a
 * probe is told by it, and only a task with a probe that wants calls is hooked at calls as well.
 * Without a probe, a task only looks for one. */
#ifndef PERIGEE_SCRIPT_PROBE_H
#define PERIGEE_SCRIPT_PROBE_H

#include <lua.h>

#include "base/util.h"

struct task;

/* Any may be NULL. None may raise or yield, and what they do in Lua has to be protected. `seen` of
 * each task is the probe's own, NULL at first (task_seen()). The probe is borrowed until the task
 * that was made with it has ended: by then those that it started have. */
struct probe {
    /* In the hook, before a function begins and when it returns. */
    void (*called)(struct probe *probe, struct task *task, lua_State *L, lua_Debug *ar);
    void (*returned)(struct probe *probe, struct task *task, lua_State *L, lua_Debug *ar);

    /* In the hook, when it looks at the clock: often, but at no fixed distance. */
    void (*looked)(struct probe *probe, struct task *task, lua_State *L, uint64_t now);

    /* Its turn begins; ends: it waits (task_waits()), is put behind others, or is over, in which
     * case `ended` follows. `now` is uv_hrtime(). */
    void (*begins)(struct probe *probe, struct task *task, uint64_t now);
    void (*leaves)(struct probe *probe, struct task *task, uint64_t now);

    /* The last: free `seen`. What a task that is stopped has open is closed outside of its turns,
     * so calls may come after `leaves`. */
    void (*ended)(struct probe *probe, struct task *task);
};

/* The pointer that a probe keeps in each task that has one. */
void **task_seen(struct task *task);

struct probe *task_probe(const struct task *task); /* NULL: it has none */

/* Does it wait, and for something else than a task below it, which has a wait of its own? */
bool task_waits(const struct task *task);

#endif
