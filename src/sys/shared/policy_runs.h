/* The functions of sys.policy about runs: calls that pass on what they are given to calls of their
 * own, so that text from outside marks everything that they do. */
#ifndef PERIGEE_SYS_SHARED_POLICY_RUNS_H
#define PERIGEE_SYS_SHARED_POLICY_RUNS_H

#include <lua.h>

struct call;

/* The call, and those that led to it, read text from there; `server`: the mounted one that sent it,
 * or NULL. */
void policy_runs_read(struct call *call, unsigned sources, const char *server, const char *site);

/* Adds them to the module's table on top of the stack. May raise. */
void policy_add_runs(lua_State *L);

#endif
