/* The defaults that a tool's inputSchema gives. */
#ifndef PERIGEE_REGISTRY_CALL_DEFAULTS_H
#define PERIGEE_REGISTRY_CALL_DEFAULTS_H

#include <cjson/cJSON.h>
#include <lua.h>

/* Gives the properties that the table at this index lacks their "default", also in the objects and
 * lists of objects in it. Only "properties" and "items" are followed: what a condition or a
 * reference brings in depends on the value. May raise (memory). */
void defaults_fill(lua_State *L, int index, const cJSON *schema);

#endif
