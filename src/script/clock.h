/* A task's deadline while it waits: for task.c. task_pause_clock() of task.h is here, too. */
#ifndef PERIGEE_SCRIPT_CLOCK_H
#define PERIGEE_SCRIPT_CLOCK_H

#include "script/task_struct.h"

/* Wakes the loop at the task's deadline, which it has, to end it. */
void clock_arm(struct task *task);
void clock_stop(struct task *task);
bool clock_is_armed(const struct task *task);

#endif
