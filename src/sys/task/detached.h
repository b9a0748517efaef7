/* sys.task.apart: a task that goes on when the call that started it has ended. */
#ifndef PERIGEE_SYS_TASK_DETACHED_H
#define PERIGEE_SYS_TASK_DETACHED_H

#include <lua.h>

int task_detach(lua_State *L);
void task_detached_init(lua_State *L); /* makes the metatable; when the module is opened */

#endif
