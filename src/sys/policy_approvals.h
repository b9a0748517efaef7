/* The functions of sys.policy about the approvals that were given. Each is a private file, so that
 * every process of the user knows of it at once. */
#ifndef PERIGEE_SYS_POLICY_APPROVALS_H
#define PERIGEE_SYS_POLICY_APPROVALS_H

#include <lua.h>

/* Adds them to the module's table on top of the stack. May raise. */
void policy_add_approvals(lua_State *L);

#endif
