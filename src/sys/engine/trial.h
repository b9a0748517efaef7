/* Tries a script that must live wherever scripts run.
 *
 * The jail ends a process that makes a system call that is not on its list. Which calls the
 * libraries beneath a script make depends on their versions, so it is tried: the script calls a
 * tool, waits, and works until a time limit. */
#ifndef PERIGEE_SYS_ENGINE_TRIAL_H
#define PERIGEE_SYS_ENGINE_TRIAL_H

#include <lua.h>

/* sys.engine.try_jail() -> true | nil, text, code. A trial that succeeded is not repeated. */
int engine_try_jail(lua_State *L);

/* Tries the same in the background, once, after the first script of a client. Logs a failure. May
 * raise (memory). */
void trial_begin(lua_State *L);

#endif
