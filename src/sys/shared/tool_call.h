/* Calls from Lua of what the registry holds: tools, prompts, resources. */
#ifndef PERIGEE_SYS_SHARED_TOOL_CALL_H
#define PERIGEE_SYS_SHARED_TOOL_CALL_H

#include <lua.h>
#include <stdbool.h>

#include "registry/registry.h"

/* vm_set_service() with its address lends the struct registry that tools are called from. */
extern const char sys_registry_key;

/* That registry. Borrowed. */
struct registry *sys_registry(lua_State *L);

/* Calls a tool from Lua: (name, args | nil, options | nil) at the given indices;
 * parks the task. `raw`: the plain value, or nil, text, code; else the result
 * table of sys.engine.call(). */
int lua_call_tool(lua_State *L, int name, int args, int options, bool raw);

/* The same for an entry (a prompt's `raw` value is what it rendered). */
int lua_call_entry(lua_State *L, struct entry *entry, int args, int options, bool raw);

/* Reads a resource that this entry serves: (uri, options | nil) at the given indices; parks the
 * task. Gives a list of contents, blobs as bytes; or nil, text, code. */
int lua_read_entry(lua_State *L, struct entry *entry, int uri, int options);

/* Pushes the table whose fields are functions that call tools, and raise. */
void lua_push_tools(lua_State *L);

int engine_call_(lua_State *L);
int engine_tool_call_raw(lua_State *L); /* (name, args, options) -> value | nil, text, code */
int engine_parts(lua_State *L);         /* sys/engine/parts.c */
int engine_prompt(lua_State *L);
int engine_read(lua_State *L);
int engine_run_lua(lua_State *L);

uint64_t lua_read_timeout(lua_State *L, int options); /* milliseconds; 0: not given */

#endif
