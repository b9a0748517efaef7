/* The functions of `string` that could hold up everything: find, match, gmatch,
 * gsub and rep.
 *
 * They give and raise what Lua's own do. But they give turns to others while
 * they work on a large text, end with their task, give up on a pattern that has
 * no end (see pattern.h), and the function that gsub calls may wait.
 *
 * They protect the files that are trusted, which work on text from outside: a page of blanks is
 * enough for Lua's own to run for minutes. Foreign code needs no such care, since its process is
 * killed. Lua's own table functions stay, sort as well: how long they take follows from the number
 * of elements (a million: half a second), and a comparison that does not end is ended. Lua's own
 * rep takes a second for 200 MB of one character, and for ever for (""):rep(1e18). */
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
