/* Numbers of JSON that neither an integer nor a float of Lua holds: the table they are in remembers
 * how they were written, so that what only passes through does not change. */
#ifndef PERIGEE_SCRIPT_WRITTEN_DIGITS_H
#define PERIGEE_SCRIPT_WRITTEN_DIGITS_H

#include <lua.h>

#include "base/buf.h"

/* A table and a key are on top of the stack, which stay: table[key] was written like this. May
 * raise (memory). */
void written_digits_remember(lua_State *L, struct str text);

/* Pushes what the table at that index remembers, or nil. May raise (memory). */
void written_digits_push(lua_State *L, int table);

/* How the float at `value`, whose key is at `key`, was written, by what was pushed to `written` (0:
 * nothing is remembered). Borrowed of that table; no bytes: it says nothing, or of another number.
 */
struct str written_digits_of(lua_State *L, int written, int key, int value);

#endif
