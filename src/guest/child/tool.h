/* A foreign tool in its process: the lib file foreign.host runs its file, and its function with a
 * `call` that speaks to the engine. */
#ifndef PERIGEE_GUEST_CHILD_TOOL_H
#define PERIGEE_GUEST_CHILD_TOOL_H

#include "script/vm.h"

/* Before its file is loaded. Both names are borrowed for ever. */
void guest_tool_prepare(struct vm *vm, char *tool, char *toolset);

/* (f, the argument's bytes, a struct str) -> host, f, argument, call, is_result. Under vm_call().
 */
int guest_tool_push(lua_State *L);

#endif
