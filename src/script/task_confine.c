/* Marks a task that acts for code that a client sent, with all tasks that it starts. */
#include "script/task.h"
#include "script/task_struct.h"

void task_confine(struct task *task)
{
    task->confined = true;
}

bool task_confined(const struct task *task)
{
    while (task && !task->confined)
        task = task->kin.parent;
    return task != NULL;
}
