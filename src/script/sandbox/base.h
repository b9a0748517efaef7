/* The global table that files start with; see sandbox.h for what is in it. */
#ifndef PERIGEE_SCRIPT_SANDBOX_BASE_H
#define PERIGEE_SCRIPT_SANDBOX_BASE_H

#include <lua.h>
#include <stdbool.h>

/* Pushes a fresh one. open: globals may be written. */
void sandbox_push_base(lua_State *L, bool open);

/* to[k] = v for all of `from`, raw; both are positions from the bottom. */
void sandbox_copy_table(lua_State *L, int from, int to);

#endif
