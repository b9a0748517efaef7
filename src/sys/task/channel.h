/* sys.task.channel: values from one task to another, in order. */
#ifndef PERIGEE_SYS_TASK_CHANNEL_H
#define PERIGEE_SYS_TASK_CHANNEL_H

#include <lua.h>

int task_channel(lua_State *L);
int task_select(lua_State *L);
void task_channel_init(lua_State *L); /* makes the metatables; when the module is opened */

#endif
