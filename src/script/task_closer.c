/* Runs the __close of a file in a task that is being stopped, where nothing may wait. */
#include <lauxlib.h>

#include "base/log.h"
#include "script/vm_struct.h"

static void closer_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct error err;

    (void)nresults;
    if (arg)
        *(bool *)arg = true;
    if (end == TASK_FAILED)
        task_error(task, &err, NULL);
    else if (end == TASK_TIMED_OUT)
        task_end_error(task, end, &err);
    if (end == TASK_FAILED || end == TASK_TIMED_OUT)
        log_warn("%s: while closing: %s", task->name, err.text);
}

/* The stopped task lent its context and print: they go with it. Tasks below this one were lent the
 * same. */
static void leave_alone(struct task *closer)
{
    void *context = closer->context;
    void (*print)(void *, const char *, size_t) = closer->print;

    list_each (link, &closer->vm->tasks) {
        struct task *task = container_of(link, struct task, all);

        if (task_top(task) != closer || task->context != context)
            continue;
        task->context = NULL;
        if (task->print == print)
            task->print = NULL;
    }
}

bool task_start_closer(lua_State *L, int nargs)
{
    struct task *task = task_of(L), *closer;
    bool gone = false;
    struct task_spec spec = { .name = task->name,
                              .timeout_ms = CLOSE_WAIT_MS,
                              .context = task->context,
                              .print = task->print,
                              .ended = closer_ended,
                              .arg = &gone };
    struct error err;

    if (task->end.life != TASK_CLOSING || task->kind == TASK_CLOSER || task == &task->vm->main ||
        task->vm->ending)
        return false;
    closer = task_new(L, nargs, &spec, &err);
    if (!closer)
        return luaL_error(L, "%s", err.text);
    closer->kind = TASK_CLOSER;
    closer->kin.family = task->kin.family;
    task_step(closer);
    if (gone)
        return true;
    closer->arg = NULL;
    leave_alone(closer);
    return true;
}

bool task_has_closer(const struct vm *vm)
{
    list_each (link, &vm->tasks)
        if (container_of(link, struct task, all)->kind == TASK_CLOSER)
            return true;
    return false;
}
