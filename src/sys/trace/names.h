/* Finds the functions of sys modules, and their names. */
#ifndef PERIGEE_SYS_TRACE_NAMES_H
#define PERIGEE_SYS_TRACE_NAMES_H

#include <lua.h>
#include <stdbool.h>

/* Pushes a table: [function] = "sys.time.sleep" or "sys.process.Child:read_line", and TRACE_TOOL
 * for those that call a tool, whose name is their first argument. It opens every module. */
void trace_push_names(lua_State *L);

#define TRACE_TOOL "tools"

/* Pushes the name of a function of a sys module that is Lua (lua/lib/sys). False, nothing pushed:
 * it is none, or is called from its own file. In the hook of its call; `ar` has "S". */
bool trace_push_lua_name(lua_State *L, lua_Debug *ar);

/* Is this the source of a file of the command that looks on? */
bool trace_is_ours(const char *source);

/* Is the running function called by code that is looked on: not by the policy, nor by the command
 * that looks on? */
bool trace_by_tool(lua_State *L);

#endif
