/* The shelves of callers, and what waits to be put on them. */
#ifndef PERIGEE_SYS_SEEN_SHELVES_H
#define PERIGEE_SYS_SEEN_SHELVES_H

#include <lua.h>

#include "seen/shelf.h"

/* Makes the metatable. */
void shelves_init(lua_State *L);

/* Pushes an empty shelf that belongs to nobody. */
void shelves_push_new(lua_State *L);

/* The shelf of a caller, with all that waited on it; it is made where there is none, and the one
 * that was not used for the longest makes room. Valid until another one is made. */
struct shelf *shelves_of(lua_State *L, struct str who);

/* The shelf at this argument. Raises where it is none. */
struct shelf *shelves_check(lua_State *L, int arg);

/* The value at `index` waits until somebody asks. `soon`: until what runs now is done. */
void shelves_keep(lua_State *L, struct str who, int index, unsigned source, const char *mount,
                  bool soon);

#endif
