/* sys.events.idle([options]) -> seconds | nil, text, code */
#ifndef PERIGEE_SYS_EVENTS_IDLE_H
#define PERIGEE_SYS_EVENTS_IDLE_H

#include <lua.h>

int events_idle(lua_State *L);

#endif
