/* What the files of sys.gateway share. Nothing else includes this. */
#ifndef PERIGEE_SYS_GATEWAY_IMPL_H
#define PERIGEE_SYS_GATEWAY_IMPL_H

#include <lua.h>

enum { GATEWAY_CACHE_MAX = 64 * 1024 * 1024 }; /* bytes of what one server told of itself */

/* The registry that servers are mounted in; raises where no servers are mounted. */
struct registry *gateway_registry(lua_State *L);

/* mount.c: sys.gateway.mount */
int gateway_mount(lua_State *L);

#endif
