/* sys.task.anchor: a task that belongs to a script or a service. */
#ifndef PERIGEE_SYS_TASK_ANCHOR_H
#define PERIGEE_SYS_TASK_ANCHOR_H

#include <lua.h>

int task_anchor(lua_State *L);
int task_anchored(lua_State *L);
int task_linger(lua_State *L);
int task_owner(lua_State *L);
int task_release(lua_State *L);
void task_anchor_init(lua_State *L); /* when the module is opened */

#endif
