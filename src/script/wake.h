/* Waking a task with values that take memory. */
#ifndef PERIGEE_SCRIPT_WAKE_H
#define PERIGEE_SCRIPT_WAKE_H

#include "script/task.h"

/* Wakes it with what push(job) pushes, called by vm_call(); or, where that fails, with nil, text,
 * code. */
void task_wake_with(struct op *op, lua_CFunction push, void *job);

/* With nil and the text and code of err. */
void task_wake_error(struct op *op, const struct error *err);

#endif
