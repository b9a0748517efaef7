/* Methods of the object `call` that put questions to the client (ask.c). */
#ifndef PERIGEE_REGISTRY_CALL_CALL_ASK_H
#define PERIGEE_REGISTRY_CALL_CALL_ASK_H

#include "script/vm.h"

/* Once per VM. */
void call_ask_init(lua_State *L);

int call_ask(lua_State *L);
int call_can(lua_State *L);
int call_inputs(lua_State *L);
int call_roots(lua_State *L);
int call_sample(lua_State *L);

#endif
