/* A lib module's result is shared by all files that require it: they can read it, but not write
 * it. */
#ifndef PERIGEE_SCRIPT_SANDBOX_FROZEN_H
#define PERIGEE_SCRIPT_SANDBOX_FROZEN_H

#include <lua.h>

/* Replaces the table on top by an empty one that reads from it; what is no table stays. */
void frozen_make(lua_State *L);

#endif
