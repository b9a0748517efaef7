/* How a C function that may take long stays within the limits of its task.
 *
 * The hook that gives turns and keeps deadlines looks between two instructions of
 * Lua; it does not see inside a C function. Such a function counts its steps here,
 * and every few thousand of them the clock is looked at:
 *     struct budget budget = { .L = L };
 *     for (...) {
 *         budget_step(&budget, 1);           may raise, or yield for good
 *         if (budget.over)
 *             return lua_yieldk(L, 0, context, go_on);
 *     }
 * A step is what takes about a nanosecond, or a few. */
#ifndef PERIGEE_SCRIPT_BUDGET_H
#define PERIGEE_SCRIPT_BUDGET_H

#include <lua.h>

#include "base/util.h"

enum { BUDGET_STEPS = 4096 };

/* One stretch of work without a break. Callers set L. */
struct budget {
    lua_State *L;
    bool over;              /* others have waited long enough, and it may yield here */
    ptrdiff_t done;         /* steps since the last look at the clock */
    uint64_t steps;         /* and before it */
    uint64_t since;         /* uv_hrtime() at the first look; 0: there was none */
    uint64_t took;          /* nanoseconds from then to the last look */
    uint64_t worked_before; /* processor_time() at the first look */
};

/* Looks at the clock. Does not return when the task must end, or when this
 * stretch cannot take a break and is far too long. */
void budget_look(struct budget *budget);

static inline void budget_step(struct budget *budget, ptrdiff_t steps)
{
    budget->done += steps;
    if (UNLIKELY(budget->done >= BUDGET_STEPS))
        budget_look(budget);
}

/* Has it worked for so long? Being kept from the processor is not work. */
bool budget_exceeds(const struct budget *budget, int ms);

/* --- for tasks, the VM and pcall ----------------------------------------------------- */

struct task;

/* Nanoseconds that this thread has worked. */
uint64_t processor_time(void);

/* Starts hooking a coroutine, or the main state, at the usual pace. */
void pace_reset(struct task *task);

/* Another hook was set on the task: sets its own again. */
void pace_restore(struct task *task);

/* The hook is to look soon: a large piece of memory was just allocated. Async-safe. */
void pace_soon(struct task *task);

/* Notes that the task must end if its time is over; true if it must end. */
bool task_must_end(struct task *task, uint64_t now);

/* The error that ends the task is on its way: `<close>` variables have a limited
 * time from now on, and the pcalls that are under way pass the error on. */
void task_unwind(struct task *task);

/* Must a pcall, the `depth`th from the outside, pass on the error that it caught? */
bool task_passes_on(struct task *task, int depth);

#endif
