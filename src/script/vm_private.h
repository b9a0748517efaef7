/* What vm.c and task.c share. Nothing else includes this. */
#ifndef PERIGEE_SCRIPT_VM_PRIVATE_H
#define PERIGEE_SCRIPT_VM_PRIVATE_H

#include "base/list.h"
#include "script/task.h"
#include "script/vm.h"

struct task {
    struct vm *vm;
    lua_State *L;
    int ref; /* keeps the coroutine alive in the registry; LUA_NOREF for the main state */
    char name[64];

    struct link all;   /* in vm->tasks while alive */
    struct link ready; /* in vm->ready while it waits for its turn */

    struct op *op;        /* what it waits for; NULL: nothing */
    int nargs;            /* values on L for the next resume */
    uint64_t deadline;    /* uv_hrtime() nanoseconds; 0: none */
    uint64_t timeout_ms;  /* as given, for the message */
    uint64_t left;        /* nanoseconds that were left when its clock was paused; 0: no deadline */
    int pauses;           /* see task_pause_clock() */
    int64_t memory;       /* net bytes allocated while it, or a child of it, ran */
    int64_t memory_limit; /* 0: none; then memory is not counted */
    int64_t memory_short; /* an allocation was refused because of this limit; 0: none was */
    struct task *payer;   /* the next ancestor with a limit, which its memory counts for, too */
    bool spare;           /* it may go a little beyond all limits, to tell what went wrong */

    enum task_end fate; /* set when it must end: see dying */
    bool dying;
    bool closing;       /* the error that ends it is on its way, or its <close> variables run */
    bool late;          /* ... and they took too long */
    int pcalls;         /* nested pcalls that are under way */
    int passing;        /* closing: so many of them pass errors on */
    char *traceback;    /* of the error that ended it; owned */
    int pace;           /* instructions between two looks at the clock */
    uint64_t looked_at; /* when that was, or when it was resumed */

    uv_timer_t timer; /* for the deadline; armed when it first waits */
    bool timer_made;

    struct task *parent;
    void (*ended)(void *arg, struct task *task, enum task_end end, int nresults);
    void *arg;
    void *context;
    void (*print)(void *context, const char *text, size_t len);
};

struct vm_module {
    const char *name;
    lua_CFunction open;
};

struct vm {
    lua_State *L;
    uv_loop_t *loop;
    size_t memory;
    size_t memory_limit;

    struct task main; /* stands for the main state where a task is asked for */
    struct task *running;
    uint64_t slice_start;
    uint64_t worked_slice; /* the slice_start that worked_since belongs to */
    uint64_t worked_since; /* processor time, nanoseconds, when it was first seen to be long */

    struct link tasks; /* alive */
    struct link ready; /* want to run */
    struct link pool;  /* ended, kept for reuse (linked by `all`) */
    int pooled;
    uv_idle_t turn; /* active while `ready` is not empty */

    int calls;              /* vm_call()s under way */
    uint64_t call_deadline; /* of vm_call(); 0: none */
    uint64_t call_budget_ms;

    struct vm_module modules[32];
    int module_count;
    int handles; /* loop handles still open while closing */
    bool closed;
};

struct task *task_of(lua_State *L);
void tasks_init(struct vm *vm);
void tasks_close(struct vm *vm); /* ends all tasks; before lua_close() */

/* task.c: (re)starts the timer of the deadline. */
void task_arm_timer(struct task *task);

/* task_body.c: the first function of every coroutine; takes the task's function
 * and its arguments. */
int task_body(lua_State *L);

/* --- budget.c ------------------------------------------------------------------- */

void vm_hook(lua_State *L, lua_Debug *ar);

/* Starts hooking a coroutine, or the main state, at the usual pace. */
void pace_reset(struct task *task);

/* The hook is to look soon: something large was just asked for. Async-safe. */
void pace_soon(struct task *task);

/* Notes that the task must end if its time is over; true if it must end. */
bool task_must_end(struct task *task, uint64_t now);

/* The error that ends the task is on its way: `<close>` variables have a limited
 * time from now on, and the pcalls that are under way pass the error on. */
void task_unwind(struct task *task);

/* Is a pcall, the `depth`th from the outside, to pass the error on that it caught? */
bool task_passes_on(struct task *task, int depth);

#endif
