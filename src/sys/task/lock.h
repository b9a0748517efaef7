/* sys.task.lock: one task at a time. */
#ifndef PERIGEE_SYS_TASK_LOCK_H
#define PERIGEE_SYS_TASK_LOCK_H

#include <lua.h>

int task_lock(lua_State *L);
void task_lock_init(lua_State *L); /* makes the metatables; when the module is opened */

#endif
