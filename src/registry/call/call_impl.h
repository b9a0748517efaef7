/* What call.c, object.c and ask.c share. Nothing else includes this. */
#ifndef PERIGEE_REGISTRY_CALL_CALL_IMPL_H
#define PERIGEE_REGISTRY_CALL_CALL_IMPL_H

#include "base/buf.h"
#include "base/list.h"
#include "registry/call/call.h"

struct call {
    struct call_spec spec;
    struct task *task;
    double last_progress;
    uint64_t serial;
    struct buf args; /* JSON text, for the log; empty unless calls are logged */
    uint64_t started;
    bool *gone; /* set when it ends inside call_start(); else NULL */
    struct call *next_free;
    struct link link; /* among the running ones */
};

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

/* The call whose client hears of this one: itself, or the one that called it, from within which it
 * was called, and so on. NULL: no client. */
struct call *call_with_client(struct call *call);

/* --- ask.c: methods of the object ------------------------------------------- */

void call_ask_init(struct vm *vm);
int call_ask(lua_State *L);
int call_can(lua_State *L);
int call_inputs(lua_State *L);
int call_roots(lua_State *L);
int call_sample(lua_State *L);

#endif
