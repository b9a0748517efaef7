/* Records of the lib modules that each file of the user's has required. They tell which files a
 * change reaches, and give a file the same module for as long as it runs. */
#ifndef PERIGEE_SCRIPT_SANDBOX_RECORD_H
#define PERIGEE_SCRIPT_SANDBOX_RECORD_H

#include <lua.h>

#include "script/sandbox/sandbox.h"

/* The upvalue of a file's `require` that is its record: { [NAME] = value, or false where that
 * failed }; nil: it has none. */
enum { RECORD = 3 };

/* Pushes a new record, kept under this key; nil for a file that comes with the engine, and for what
 * is in no root. */
void record_push_new(lua_State *L, struct sandbox *sandbox, int home, const char *key);

/* (name), in `require`: pushes the value that the file has already. False: it has none, and its
 * record says from now on that it wants it. */
bool record_push_value(lua_State *L);

/* (name, ..., value), in `require`: the module has this value for the file. */
void record_note(lua_State *L);

#endif
