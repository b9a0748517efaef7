/* sys.trace.script: runs a person's script inside a task. */
#ifndef PERIGEE_SYS_TRACE_SCRIPTS_H
#define PERIGEE_SYS_TRACE_SCRIPTS_H

#include <lua.h>

int trace_script(lua_State *L);

#endif
