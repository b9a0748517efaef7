/* A call that waits for a person is not slow: its deadline moves by as long as that takes. The
 * tasks that wait for it, its parents, get the same. */
#include "script/vm_private.h"

void task_pause_clock(struct task *task)
{
    uint64_t now = uv_hrtime();

    for (; task; task = task->parent) {
        if (task->pauses++ || !task->deadline)
            continue;
        task->left = task->deadline > now ? task->deadline - now : 1;
        task->deadline = 0;
        if (task->timer_made)
            uv_timer_stop(&task->timer);
    }
}

void task_resume_clock(struct task *task)
{
    uint64_t now = uv_hrtime();

    for (; task; task = task->parent) {
        if (--task->pauses || !task->left)
            continue;
        task->deadline = now + task->left;
        task->left = 0;
        task_arm_timer(task);
    }
}
