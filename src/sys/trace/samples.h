/* sys.trace.profile: where a function spends its time. */
#ifndef PERIGEE_SYS_TRACE_SAMPLES_H
#define PERIGEE_SYS_TRACE_SAMPLES_H

#include <lua.h>

int trace_profile(lua_State *L);
void trace_profile_init(lua_State *L); /* makes the metatable; when the module is opened */

#endif
