/* Pushes the outcome of input as a table of Lua. */
#ifndef PERIGEE_SYS_INPUT_OUTCOME_H
#define PERIGEE_SYS_INPUT_OUTCOME_H

#include <lua.h>

#include "platform/platform.h"

/* Pushes sys.input.Outcome. */
void outcome_push(lua_State *L, const struct input_outcome *out);

#endif
