/* The object that Lua code knows as `call`. */
#ifndef PERIGEE_REGISTRY_CALL_OBJECT_H
#define PERIGEE_REGISTRY_CALL_OBJECT_H

#include "registry/call/call_struct.h"

struct handle {
    struct call *call;
    uint64_t serial; /* as the call had it when this was made */
};

/* Pushes the object that Lua code knows as `call`. */
void call_push_handle(lua_State *L, struct call *call);

/* Raises unless the value at index 1 is a call object. */
struct handle *call_check_handle(lua_State *L);

/* The running call of the object at index 1; NULL after its end. */
struct call *call_check(lua_State *L);

#endif
