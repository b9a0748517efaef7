/* The functions of a module, for those that put others in their place when it is opened. */
#ifndef PERIGEE_SYS_SHARED_FUNCTIONS_H
#define PERIGEE_SYS_SHARED_FUNCTIONS_H

#include <lua.h>
#include <stddef.h>

/* Puts `with` in the place of the function `name` of `of`: the name of a module ("sys.http"), or of
 * a kind of userdata that it makes ("sys.http.Stream"). `with` becomes a closure over the values
 * that the function is a closure over, and one more: `line`. So it can do the work by a plain call
 * in C, with the same arguments, upvalues and stack, which may wait and be named in messages as
 * before.
 *
 * The table of `module` is on top. Returns the function that does the work. NULL: `of` is of
 * another module. Raises an error if there is no such function. */
lua_CFunction functions_replace(lua_State *L, const char *module, const char *of, const char *name,
                                lua_CFunction with, const void *line);

/* These are for a function that was put in the place of another and runs. The first returns its
 * line, one of those in `size` bytes from `lines` on; the second pushes the function that does the
 * work. */
const void *functions_line(lua_State *L, const void *lines, size_t size);
void functions_push_work(lua_State *L, lua_CFunction work, const void *line);

#endif
