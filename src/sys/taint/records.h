/* The shelves of callers, and the values that wait to be put on them. */
#ifndef PERIGEE_SYS_TAINT_RECORDS_H
#define PERIGEE_SYS_TAINT_RECORDS_H

#include <lua.h>

#include "taint/record.h"

/* Makes the metatable. */
void shelves_init(lua_State *L);

/* Pushes an empty shelf without an owner. */
void shelves_push_new(lua_State *L);

/* The shelf of a caller, with all values that waited for it; a caller without one gets a new shelf,
 * and the least recently used one makes room. Valid until another shelf is made. */
struct shelf *shelves_of(lua_State *L, struct str who);

/* The shelf at this argument. Raises if the argument is not a shelf. */
struct shelf *shelves_check(lua_State *L, int arg);

/* Keeps the value at `index` until a call needs the shelf, or (`soon`) until the running code is
 * done. */
void shelves_keep(lua_State *L, struct str who, int index, unsigned source, const char *mount,
                  bool soon);

#endif
