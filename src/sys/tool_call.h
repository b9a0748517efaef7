/* The modules for scripts that need the layers above script/: one file each. */
#ifndef PERIGEE_SYS_TOOL_CALL_H
#define PERIGEE_SYS_TOOL_CALL_H

#include <lua.h>
#include <stdbool.h>

#include "registry/entry.h"
#include "script/vm.h"

void lua_modules_register(struct vm *vm);

int luaopen_perigee(lua_State *L);
int luaopen_sys_engine(lua_State *L);
int luaopen_sys_files(lua_State *L);
int luaopen_sys_gateway(lua_State *L);
int luaopen_sys_mcp(lua_State *L);

/* --- shared by those files ------------------------------------------------------ */

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
