/* sys.task.map: calls a function for each item of a list. */
#ifndef PERIGEE_SYS_TASK_MAP_H
#define PERIGEE_SYS_TASK_MAP_H

#include <lua.h>

int task_map(lua_State *L);

#endif
