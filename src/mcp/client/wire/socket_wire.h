/* The MCP client and a server at a Unix socket that takes one message a line, as an engine's
 * console does (engine/console.h). Main thread only. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_SOCKET_WIRE_H
#define PERIGEE_MCP_CLIENT_WIRE_SOCKET_WIRE_H

#include <uv.h>

#include "mcp/client/client.h"

struct mcp_socket;

/* Connects, and begins the session if the other end is this user's; events.ready or events.closed
 * follows, with the code "not_running" if nobody listens there. Never NULL. `path` is copied. Owned
 * by the caller. */
struct mcp_socket *mcp_socket_start(uv_loop_t *loop, const char *path,
                                    const struct client_options *options,
                                    const struct client_events *events, void *arg);

/* For requests, and for client_close(): what was sent goes out, then events.closed. Borrowed. */
struct client *mcp_socket_session(const struct mcp_socket *mcp);

/* At any time, in any callback. Accepts NULL. No event or callback follows. The loop has to turn
 * once more. */
void mcp_socket_free(struct mcp_socket *mcp);

#endif
