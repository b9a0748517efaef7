/* Counts stopped tasks that still close something, and that their own task no longer waits for. */
#include "script/task.h"
#include "script/vm_struct.h"

void task_count_closings(struct task *task)
{
    task->kin.family = ++task->vm->families;
}

unsigned task_closings(const struct task *task)
{
    unsigned count = 0;

    list_each (link, &task->vm->tasks) {
        const struct task *other = container_of(link, struct task, all);

        count +=
            other->kind == TASK_CLOSER && task->kin.family && other->kin.family == task->kin.family;
    }
    return count;
}
