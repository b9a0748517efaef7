/* The parts of the VM, for vm.c, task.c and budget.c. */
#ifndef PERIGEE_SCRIPT_VM_STRUCT_H
#define PERIGEE_SCRIPT_VM_STRUCT_H

#include <setjmp.h>

#include "script/task_struct.h"
#include "script/vm.h"
#include "script/watchdog.h"

struct vm_module {
    const char *name;
    lua_CFunction open;
};

struct vm_lent {
    const void *key;
    void *service;
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
    uv_idle_t turn;     /* active while `ready` is not empty, or garbage is collected */
    uv_prepare_t round; /* a round of the loop begins: its first tasks run at once */
    uint64_t spent;     /* nanoseconds of this round that starting tasks took */
    int behind;         /* tasks that have not started yet because others took too long */
    int collect;        /* so many cycles of the collector are still to be made */
    size_t settled;     /* bytes that were in use after the last of them, or less */

    struct watchdog *watchdog;     /* NULL: nobody watches */
    void (*before)(struct vm *vm); /* see vm_before(); NULL: nothing */
    const char *const *before_except;
    void (*print)(void *context, const char *text, size_t len); /* see vm_print_to() */

    int calls;              /* vm_call()s under way */
    uint64_t call_deadline; /* the deadline of vm_call(); 0: none */
    uint64_t call_budget_ms;
    uint64_t call_began; /* processor time, nanoseconds */

    struct vm_module modules[64];
    int module_count;
    void (*opened)(lua_State *L, const char *name); /* see vm_on_open(); NULL: none */
    struct vm_lent lent[16];
    int lent_count;
    int handles;       /* loop handles still open while closing */
    unsigned families; /* that were made: task_count_closings() */
    bool ending;       /* all tasks are being cancelled */
    bool leaving;      /* lua_close() is left by way_out once all finalizers ran */
    jmp_buf way_out;
    bool closed;
};

/* Around every entry into Lua. */
void vm_enter(struct vm *vm);
void vm_leave(struct vm *vm);

/* Is what is in use within the VM's limit and those of the task? If not, its memory_short is set
 * where that is one of its own. */
bool vm_has_room(const struct vm *vm, struct task *task);

/* A task has ended: is there much garbage since the last collection? Lua would wait until twice as
 * much is in use, which may be never. */
void vm_settle(struct vm *vm);

/* Collects in small steps, since the whole may take some tenths of a second. False: there is
 * nothing to do. */
bool vm_collect_some(struct vm *vm);

#endif
