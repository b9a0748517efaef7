/* sys.task.await and sys.task.signal: tasks that wait for another one. */
#ifndef PERIGEE_SYS_TASK_SIGNAL_H
#define PERIGEE_SYS_TASK_SIGNAL_H

#include <lua.h>

int task_await(lua_State *L);
int task_signal(lua_State *L);
void task_signal_init(lua_State *L); /* called when the module is opened */

#endif
