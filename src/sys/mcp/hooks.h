/* The functions of a spec: what they are told, and what they answer. */
#ifndef PERIGEE_SYS_MCP_HOOKS_H
#define PERIGEE_SYS_MCP_HOOKS_H

#include "sys/mcp/connection.h"

/* Take the functions of the spec, and give them back: questions that are being answered are
 * cancelled. */
void mcp_hooks_take(lua_State *L, struct mcp_connection *connection, const struct mcp_spec *spec);
void mcp_hooks_drop(struct mcp_connection *connection);

/* The abilities that a client has with these functions (CLIENT_* bits). */
unsigned mcp_hooks_abilities(const struct mcp_spec *spec);

/* Functions for the client and its wire. Their arg is a struct mcp_connection. */
extern const struct client_events mcp_hooks_events; /* all but `ready` and `closed` */
void mcp_hooks_authorize(void *arg, const struct mcp_challenge *challenge);

#endif
