/* A script that must live wherever scripts run.
 *
 * The jail ends a process that makes another system call than those on its list. Which calls the
 * libraries beneath a script make is up to their versions, so it is tried: the script calls a tool,
 * waits, and works until a time limit. */
#ifndef PERIGEE_SYS_ENGINE_TRIAL_H
#define PERIGEE_SYS_ENGINE_TRIAL_H

#include <lua.h>

/* sys.engine.try_jail() -> true | nil, text, code. What was seen to live is not tried again. */
int engine_try_jail(lua_State *L);

/* After the first script of a client: the same in the background, once. A failure is logged. May
 * raise (memory). */
void trial_begin(lua_State *L);

#endif
