/* What lua/lib/cli/mcp.lua is given by `perigee mcp` besides its options. */
#ifndef PERIGEE_CLI_COMMANDS_MCP_H
#define PERIGEE_CLI_COMMANDS_MCP_H

#include <lua.h>

/* Adds to the table on top of the stack:
 *   arguments(schema, words, base) -> JSON text | nil, text   key=value words by a JSON Schema
 *   complain(text, plain)                                     on stderr; plain: without our name
 *   progress(done, total, message)                            a line on stderr
 *   render(result)                                            a CallToolResult for people
 *   save(result, path) -> true | nil, text                    its first picture, sound or file
 * schema and result are JSON texts. */
void mcp_push_helpers(lua_State *L);

#endif
