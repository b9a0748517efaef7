/* The timer of a task's deadline, and its pauses. */
#include "script/clock.h"

#include "script/vm_struct.h"

static void on_deadline(uv_timer_t *timer)
{
    struct task *task = timer->data;

    task->dying = true;
    task->fate = TASK_TIMED_OUT;
    task_cancel(task);
}

void clock_arm(struct task *task)
{
    uint64_t now = uv_hrtime();
    uint64_t left = task->deadline > now ? (task->deadline - now) / MS + 1 : 0;

    if (!task->timer_made) {
        uv_timer_init(task->vm->loop, &task->timer);
        task->timer.data = task;
        task->timer_made = true;
        task->vm->handles++;
    }
    uv_update_time(task->vm->loop);
    uv_timer_start(&task->timer, on_deadline, left, 0);
}

/* A call that waits for a person is not slow: its deadline moves by as long as that takes. The
 * tasks that wait for it, its parents, get the same. */
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
        clock_arm(task);
    }
}
