/* What a lib module returned, for all who require it: it is read, and not written. */
#ifndef PERIGEE_SCRIPT_SANDBOX_FROZEN_H
#define PERIGEE_SCRIPT_SANDBOX_FROZEN_H

#include <lua.h>

/* Replaces the table on top by an empty one that reads from it; what is no table stays. */
void frozen_make(lua_State *L);

#endif
