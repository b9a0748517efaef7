/* The keys that a tool, prompt, rule or provider file may and must return. */
#ifndef PERIGEE_REGISTRY_SHAPE_H
#define PERIGEE_REGISTRY_SHAPE_H

#include <lua.h>

#include "base/error.h"
#include "registry/entry.h"

/* Checks the table at `index`: unknown keys, missing ones, wrong types. The
 * error names the key, and for an unknown one the nearest known. */
bool shape_check(lua_State *L, int index, enum entry_kind kind, struct error *err);

#endif
