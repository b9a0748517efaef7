/* Lua text into a function, and the code between: text that was compiled once need not be again. */
#ifndef PERIGEE_SCRIPT_SANDBOX_CHUNK_H
#define PERIGEE_SCRIPT_SANDBOX_CHUNK_H

#include <lua.h>

#include "base/buf.h"
#include "base/error.h"

/* Pushes the function of a text, which `name` stands for in messages; it has no environment yet.
 * Does not raise. False: err, and nothing is pushed. */
bool chunk_push(lua_State *L, const char *name, struct str text, struct error *err);

/* The same of code that chunk_compile() made, in whichever process: nothing checks it, and wrong
 * code ends the program or worse. */
bool chunk_push_code(lua_State *L, const char *name, struct str code, struct error *err);

/* Appends the code of a text. False: it does not compile, and nothing was appended. */
bool chunk_compile(const char *name, struct str text, struct buf *code);

#endif
