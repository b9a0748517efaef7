/* sys.trace.calls: calls of functions of sys modules, and of tools, that a function makes. */
#ifndef PERIGEE_SYS_TRACE_CALLS_H
#define PERIGEE_SYS_TRACE_CALLS_H

#include <lua.h>

int trace_calls(lua_State *L);
void trace_calls_init(lua_State *L); /* makes the metatable; when the module is opened */

#endif
