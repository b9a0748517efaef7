/* The parts of a task, for task.c, budget.c, the VM and the sandbox's pcall. */
#ifndef PERIGEE_SCRIPT_TASK_STRUCT_H
#define PERIGEE_SCRIPT_TASK_STRUCT_H

#include <uv.h>

#include "base/list.h"
#include "script/task.h"

#define MS ((uint64_t)1000000) /* in the nanoseconds of uv_hrtime() */

/* The time that it has, in nanoseconds of uv_hrtime(). */
struct task_clock {
    int pauses;          /* see task_pause_clock() */
    uint64_t deadline;   /* 0: none */
    uint64_t timeout_ms; /* as given, for the message */
    uint64_t left;       /* that was left when the clock was paused; 0: no deadline */
};

/* Its part of the processor. */
struct task_turn {
    int filled;         /* turns that it used up since it last waited */
    int pace;           /* instructions between two looks at the clock */
    uint64_t looked_at; /* when that was, or when it was resumed */
    bool returns;       /* returns of functions are hooked, too: see on_return() */
};

/* In bytes. */
struct task_memory {
    int64_t used;       /* net, while it, or a child of it, ran */
    int64_t limit;      /* 0: none; then it is not counted */
    int64_t refused;    /* an allocation that the limit did not allow; 0: none */
    bool full;          /* it went beyond a limit, and its garbage is to be collected */
    int cycles;         /* ... in so many cycles more */
    struct task *payer; /* the next ancestor with a limit, which its memory counts for, as well */
};

/* Those that look at what it does. */
struct task_watch {
    struct probe *probe; /* see probe.h; NULL: none */
    void *seen;          /* the probe's own, for this task */
    bool purity;         /* see purity.h */
    bool impure;
};

struct task_kin {
    struct task *parent;
    struct task *outer; /* while it runs: what ran before, and goes on after it; NULL: the loop */
    int below;          /* tasks that it waits for: those it made that are not alongside */
    unsigned beside;    /* without a parent: the number of tasks alongside below it */
    unsigned family;    /* see task_count_closings(); 0: none */
    bool alongside;     /* see task_spec */
};

enum task_life {
    TASK_LIVES,
    TASK_DYING,   /* it must end, as `fate` says, once it is looked at */
    TASK_CLOSING, /* the error that ends it is on its way, or its <close> variables run */
};

struct task_ending {
    enum task_life life;
    enum task_end fate;
    bool late;       /* closing took too long: no pcall is to catch what ends it */
    int pcalls;      /* nested pcalls that are under way */
    int passing;     /* closing: so many of them pass errors on */
    char *traceback; /* that of the error that ended it; owned */
    char place[80];  /* FILE:LINE where it was put aside or ended; "": not yet, or it waits */
    bool waited;     /* it was ended there while it was waiting */
};

enum task_kind {
    TASK_PLAIN,
    TASK_LOADER, /* see task_spec */
    TASK_CLOSER, /* see task_start_closer(); its arg is set while it runs for the first time */
};

struct task {
    struct vm *vm;
    lua_State *L;
    int ref; /* keeps the coroutine alive in the registry; LUA_NOREF for the main state */
    bool timer_made;
    uv_timer_t timer;    /* for the deadline; made when it first waits */
    struct timer *alarm; /* the same in a VM without a loop; NULL: it is not armed */

    /* A task is used again for other calls: all that follows begins as zero each time. */
    struct task_clock clock;
    struct task_turn turn;
    struct task_memory memory;
    struct task_watch watch;
    struct task_kin kin;
    struct task_ending end;

    enum task_kind kind;
    char name[64];
    uint64_t made; /* when; uv_hrtime() nanoseconds */
    struct op *op; /* its wait; NULL: none */
    int nargs;     /* values on L for the next resume */
    bool behind;   /* it is one of vm->behind */
    bool confined; /* see task_confine() */
    bool own;      /* see task_set_own() */
    bool spare;    /* it may go a little beyond all limits, to tell what went wrong */
    bool spent;    /* its coroutine is not for another task: see close_thread() */

    struct link all;    /* in vm->tasks while alive */
    struct link ready;  /* in vm->ready while it waits for its turn */
    struct link at_end; /* struct task_hook */

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
