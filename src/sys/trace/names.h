/* Finds the functions of sys modules, and their names. */
#ifndef PERIGEE_SYS_TRACE_NAMES_H
#define PERIGEE_SYS_TRACE_NAMES_H

#include <lua.h>
#include <stdbool.h>

/* Pushes a table with [function] = "sys.time.sleep" or "sys.process.Child:read_line", and with
 * TRACE_TOOL for functions that call the tool that their first argument names. It opens every
 * module. */
void trace_push_names(lua_State *L);

#define TRACE_TOOL "tools"

/* Pushes the name of a function of a sys module that is in Lua (lua/lib/sys). If it is no such
 * function, or its own file calls it, returns false and pushes nothing. Called in the hook of the
 * call; `ar` has "S". */
bool trace_push_lua_name(lua_State *L, lua_Debug *ar);

/* The same for a function of the file that is called by Lua, or a Lua function that the file calls:
 * "helper", "schema.object". */
bool trace_push_file_name(lua_State *L, lua_Debug *ar, const char *file);

/* True if this is the source of a file of the command that looks on. */
bool trace_is_ours(const char *source);

/* True if code that is looked on calls the running function: not the policy, and not the command
 * that looks on. */
bool trace_by_tool(lua_State *L);

#endif
