/* The tables of tools: a field is a function that calls the tool of this name. That of scripts, the
 * global `tools`, raises when the tool fails; that of `require "tools"` returns nil, text, code. */
#ifndef PERIGEE_SCRIPT_TOOLS_TABLE_H
#define PERIGEE_SCRIPT_TOOLS_TABLE_H

#include <lua.h>
#include <stdbool.h>

/* Is the value at this index a table that is shown as a text of its own where a script returns it?
 * The result of a tool is not: there it is JSON, whole. */
bool tools_table_has_text(lua_State *L, int index);

/* The name of the tool that this function calls; NULL: it is none of theirs. Borrowed from it. */
const char *tools_table_name(lua_State *L, int index);

/* Pushes the table. It can be walked with pairs() and is read-only;
 * tostring() is the tools' names, a line each. That of a value which is a whole result is its text.
 *   call  (name, arguments | nil, options | nil) -> value | nil, text, code; may wait
 *   next  (i) -> i', name: the first tool behind i (from 0); nothing: there is none */
void tools_table_push(lua_State *L, lua_CFunction call, lua_CFunction next, bool raises);

#endif
