/* The messages of one wire share the session's id, the gate, the token.
 *
 * Callbacks may free everything: a function that calls one stands between http_enter() and
 * http_leave(), and the memory goes when the last of them has left. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_HTTP_SESSION_H
#define PERIGEE_MCP_CLIENT_WIRE_HTTP_SESSION_H

#include "mcp/client/wire/http_post.h"

void http_enter(struct mcp_http *mcp);
bool http_leave(struct mcp_http *mcp);   /* false: it was freed, and is gone now */
void http_destroy(struct mcp_http *mcp); /* when no function is inside */

/* Mcp-Session-Id, as the server sent it. */
void http_keep_session(struct mcp_http *mcp, const char *id);

/* The server does not know the session any more: another one begins, and the server's own stream
 * with it. */
void http_forget_session(struct mcp_http *mcp);

/* The handshake is over; what waited behind it goes on. taken: it went well. */
void http_initialized(struct mcp_http *mcp, bool taken);

/* The post was answered with 401 or 403: it waits for another token, or fails. */
void http_challenge(struct post *post);

#endif
