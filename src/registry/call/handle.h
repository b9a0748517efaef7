/* The object that Lua code knows as `call`; its methods are in object.c and ask.c. */
#ifndef PERIGEE_REGISTRY_CALL_HANDLE_H
#define PERIGEE_REGISTRY_CALL_HANDLE_H

#include <lauxlib.h>

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

/* That of this object; NULL after its end. */
struct call *handle_call(const struct handle *handle);

/* These do the work of call:progress() and call:log(). For the latter, level, data and logger (or
 * nothing) are at this index and those behind it; it raises if they are wrong. NULL is fine. */
void call_report_progress(struct call *call, double done, double total, const char *message);
void call_report_log(struct call *call, lua_State *L, int level);

/* Makes the metatable, once per VM. */
void call_handle_init(lua_State *L, const luaL_Reg *methods);

#endif
