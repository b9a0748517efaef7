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
    int64_t memory;       /* net bytes allocated while it ran */
    int64_t memory_limit; /* 0: none */
    enum task_end fate;   /* set when it must end: see dying */
    bool dying;
    bool closing;      /* its <close> variables run */
    bool memory_short; /* an allocation was refused because of its own limit */
    bool started;

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
void vm_hook(lua_State *L, lua_Debug *ar);

#endif
