/* Functions of sys.engine that have a file of their own. */
#ifndef PERIGEE_SYS_ENGINE_PIECES_H
#define PERIGEE_SYS_ENGINE_PIECES_H

#include <lua.h>

int engine_parts(lua_State *L); /* parts.c, as the next two */
int engine_desktop(lua_State *L);
int engine_program(lua_State *L);
int engine_run_lua(lua_State *L); /* guest_run.c */

#endif
