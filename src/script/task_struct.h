/* The parts of a task, for task.c, budget.c, the VM and the sandbox's pcall. */
#ifndef PERIGEE_SCRIPT_TASK_STRUCT_H
#define PERIGEE_SCRIPT_TASK_STRUCT_H

#include <uv.h>

#include "base/list.h"
#include "script/task.h"

#define MS ((uint64_t)1000000) /* in the nanoseconds of uv_hrtime() */

struct task {
    struct vm *vm;
    lua_State *L;
    int ref; /* keeps the coroutine alive in the registry; LUA_NOREF for the main state */
    bool timer_made;
    uv_timer_t timer;    /* for the deadline; made when it first waits */
    struct timer *alarm; /* the same in a VM without a loop; NULL: it is not armed */

    /* A task is used again for other calls: all that follows begins as zero each time. */
    int pauses; /* see task_pause_clock() */
    char name[64];

    struct link all;    /* in vm->tasks while alive */
    struct link ready;  /* in vm->ready while it waits for its turn */
    struct link at_end; /* struct task_hook */

    int filled;   /* turns that it used up since it last waited */
    int nargs;    /* values on L for the next resume */
    bool spare;   /* it may go a little beyond all limits, to tell what went wrong */
    bool returns; /* returns of functions are hooked, too */
    bool watched; /* and calls: see purity.h */
    bool impure;
    bool spent;           /* its coroutine is not for another task: see close_thread() */
    bool confined;        /* see task_confine() */
    bool own;             /* see task_set_own() */
    bool alongside;       /* see task_spec */
    int below;            /* tasks that it waits for: those it made that are not alongside */
    struct probe *probe;  /* see probe.h; NULL: none */
    void *seen;           /* the probe's own, for this task */
    unsigned beside;      /* without a parent: the number of tasks alongside below it */
    unsigned family;      /* see task_count_closings(); 0: none */
    struct op *op;        /* its wait; NULL: none */
    uint64_t made;        /* when; uv_hrtime() nanoseconds */
    uint64_t deadline;    /* the same; 0: none */
    uint64_t timeout_ms;  /* as given, for the message */
    uint64_t left;        /* nanoseconds that were left when its clock was paused; 0: no deadline */
    int64_t memory;       /* net bytes allocated while it, or a child of it, ran */
    int64_t memory_limit; /* 0: none; then memory is not counted */
    int64_t memory_short; /* an allocation was refused because of this limit; 0: none was */
    bool full;            /* it went beyond a limit, and its garbage is to be collected */
    int cycles;           /* ... in so many cycles more */
    struct task *payer;   /* the next ancestor with a limit, which its memory counts for, as well */

    enum task_end fate; /* set when it must end: see dying */
    bool loading;       /* see task_spec */
    bool behind;        /* it is one of vm->behind */
    bool closer; /* see task_start_closer(); its arg is set while it runs for the first time */
    bool dying;
    bool closing;       /* the error that ends it is on its way, or its <close> variables run */
    bool late;          /* ... and they took too long */
    int pcalls;         /* nested pcalls that are under way */
    int passing;        /* closing: so many of them pass errors on */
    int pace;           /* instructions between two looks at the clock */
    char *traceback;    /* that of the error that ended it; owned */
    char place[80];     /* FILE:LINE where it was put aside or ended; "": not yet, or it waits */
    bool waited;        /* it was ended there while it was waiting */
    uint64_t looked_at; /* when that was, or when it was resumed */

    struct task *parent;
    struct task *outer; /* while it runs: what ran before, and goes on after it; NULL: the loop */
    void (*ended)(void *arg, struct task *task, enum task_end end, int nresults);
    void *arg;
    void *context;
    void (*print)(void *context, const char *text, size_t len);
};

/* The task of any of the VM's states: the main state also has one. */
static inline struct task *task_of(lua_State *L)
{
    return *(struct task **)lua_getextraspace(L);
}

/* Its next turn, now. It may have ended on return. */
void task_step(struct task *task);

/* The one at the top of its parents. */
struct task *task_top(struct task *task);

/* Keeps where its Lua is, while the stack is there. Allocates nothing: it may be on the loop. */
void task_note_place(struct task *task);

#endif
