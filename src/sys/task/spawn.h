/* sys.task.spawn: a task alongside the one that makes it. */
#ifndef PERIGEE_SYS_TASK_SPAWN_H
#define PERIGEE_SYS_TASK_SPAWN_H

#include <lua.h>

int task_spawn(lua_State *L);
void task_spawn_init(lua_State *L); /* makes the metatable; when the module is opened */

#endif
