/* The functions of a module, for those that put others in their place when it is opened. */
#ifndef PERIGEE_SYS_SHARED_FUNCTIONS_H
#define PERIGEE_SYS_SHARED_FUNCTIONS_H

#include <lua.h>
#include <stdbool.h>

/* `of`: the name of a module ("sys.http"), or of a kind of userdata that it makes
 * ("sys.http.Stream"). Pushes the table with its functions, if that is of `module`, whose own table
 * is on top. False: it is of another module, and nothing is pushed. */
bool functions_push(lua_State *L, const char *module, const char *of);

#endif
