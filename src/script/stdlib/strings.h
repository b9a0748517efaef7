/* The functions of `string` that could hold up everything: find, match, gmatch,
 * gsub and rep.
 *
 * They give and raise what Lua's own do. But they give turns to others while
 * they work on a large text, end with their task, give up on a pattern that has
 * no end (see pattern.h), and the function that gsub calls may wait. */
#ifndef PERIGEE_SCRIPT_STDLIB_STRINGS_H
#define PERIGEE_SCRIPT_STDLIB_STRINGS_H

#include <lua.h>

#include "script/stdlib/pattern.h"

/* Sets them in the table on top of the stack. */
void strings_set(lua_State *L);

/* Argument 1 is the text, 2 the pattern: begins a match of them, and says whether
 * it is anchored. Raises if they are no strings. */
bool strings_match(lua_State *L, struct pattern_match *match);

/* string.gsub (gsub.c) */
int strings_gsub(lua_State *L);

#endif
