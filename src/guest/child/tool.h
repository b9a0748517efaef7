/* A foreign tool in its process: the lib file foreign.host runs the tool's file, and calls its
 * function with a `call` that talks to the engine. */
#ifndef PERIGEE_GUEST_CHILD_TOOL_H
#define PERIGEE_GUEST_CHILD_TOOL_H

#include "script/vm.h"

/* Prepares the call, before the tool's file is loaded. Both names are borrowed for ever. */
void guest_tool_prepare(struct vm *vm, char *tool, char *toolset);

/* (f, the argument's bytes, a struct str) -> host, f, argument, call, is_result. Called by
 * vm_call(). */
int guest_tool_push(lua_State *L);

#endif
