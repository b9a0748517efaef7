/* Writes the result of a spec's function as the wire wants it. */
#ifndef PERIGEE_SYS_MCP_ANSWER_H
#define PERIGEE_SYS_MCP_ANSWER_H

#include "sys/mcp/spec.h"

/* Makes of what a function returned, at index 2 of four values, a result of its kind. `asked` is a
 * registry reference to the parameters of the question. May raise. */
void mcp_answer_shape(lua_State *L, enum mcp_hook hook, int asked);

#endif
