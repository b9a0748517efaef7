/* The timer of a task's deadline, and its pauses. */
#include "script/clock.h"

#include "base/timer.h"
#include "script/vm_struct.h"

static void end_late_task(void *arg)
{
    struct task *task = arg;

    task->alarm = NULL;
    if (task->end.life == TASK_LIVES)
        task->end.life = TASK_DYING;
    task->end.fate = TASK_TIMED_OUT;
    task_cancel(task);
}

static void on_task_deadline(uv_timer_t *timer)
{
    end_late_task(timer->data);
}

/* On a loop one handle serves the task, and those that are made of it, for as long as it lives. */
static void arm_on_loop(struct task *task, uint64_t left)
{
    if (!task->timer_made) {
        uv_timer_init(task->vm->loop, &task->timer);
        task->timer.data = task;
        task->timer_made = true;
        task->vm->handles++;
    }
    uv_update_time(task->vm->loop);
    uv_timer_start(&task->timer, on_task_deadline, left, 0);
}

void clock_arm(struct task *task)
{
    uint64_t now = uv_hrtime();
    uint64_t left = task->clock.deadline > now ? (task->clock.deadline - now) / MS + 1 : 0;

    clock_stop(task);
    if (task->vm->loop)
        arm_on_loop(task, left);
    else
        task->alarm = timer_after(NULL, left, end_late_task, task);
}

void clock_stop(struct task *task)
{
    if (task->timer_made)
        uv_timer_stop(&task->timer);
    timer_forget(task->alarm);
    task->alarm = NULL;
}

bool clock_is_armed(const struct task *task)
{
    return task->alarm || (task->timer_made && uv_is_active((const uv_handle_t *)&task->timer));
}

/* A call that waits for a person is not slow: its deadline moves by as long as that takes. The
 * tasks that wait for it, its parents, get the same. */
void task_pause_clock(struct task *task)
{
    uint64_t now = uv_hrtime();

    for (; task; task = task->kin.parent) {
        if (task->clock.pauses++ || !task->clock.deadline)
            continue;
        task->clock.left = task->clock.deadline > now ? task->clock.deadline - now : 1;
        task->clock.deadline = 0;
        clock_stop(task);
    }
}

void task_resume_clock(struct task *task)
{
    uint64_t now = uv_hrtime();

    for (; task; task = task->kin.parent) {
        if (--task->clock.pauses || !task->clock.left)
            continue;
        task->clock.deadline = now + task->clock.left;
        task->clock.left = 0;
        clock_arm(task);
    }
}
