/* The Child object of sys.process. */
#ifndef PERIGEE_SYS_PROCESS_CHILD_OBJECT_H
#define PERIGEE_SYS_PROCESS_CHILD_OBJECT_H

#include <lua.h>

/* sys.process.start */
int process_start_child(lua_State *L);

/* Makes the metatable. Called when the module is opened. */
void process_child_init(lua_State *L);

#endif
