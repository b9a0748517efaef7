/* Memory of a VM that fails at one allocation, or from one on. */
#ifndef PERIGEE_TESTS_FAILING_MEMORY_H
#define PERIGEE_TESTS_FAILING_MEMORY_H

#include <limits.h>

#include "script/vm_struct.h"

struct failing {
    lua_Alloc real;
    void *arg;
    long left; /* allocations until it fails */
    int times; /* so many fail then; 0: none ever */
    bool failed;
    struct vm *vm;
};

static inline void *fail_alloc(void *arg, void *ptr, size_t old, size_t size)
{
    struct failing *failing = arg;

    if (size > (ptr ? old : 0) && failing->times && --failing->left <= 0) {
        failing->times--;
        failing->failed = true;
        failing->vm->collect = 2; /* as its own allocator has it: leaks are found */
        return NULL;
    }
    return failing->real(failing->arg, ptr, old, size);
}

static inline void failing_install(struct failing *failing, lua_State *L)
{
    failing->vm = vm_of(L);
    failing->real = lua_getallocf(L, &failing->arg);
    lua_setallocf(L, fail_alloc, failing);
}

/* Arms the failure. Lua collects and tries once more, so failing once means failing twice in a
 * row. */
static inline void failing_arm(struct failing *failing, long nth, bool on)
{
    failing->left = nth;
    failing->times = on ? INT_MAX : 2;
    failing->failed = false;
}

static inline bool failing_disarm(struct failing *failing)
{
    failing->times = 0;
    return failing->failed;
}

#endif
