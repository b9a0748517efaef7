/* The server over connections of a Unix socket: one JSON-RPC message a line, a session each.
 *
 * Who may connect is up to who listens. A connection that ends cancels its calls; one that does not
 * read holds up nobody but itself. Its handles keep no loop alive. */
#ifndef PERIGEE_MCP_SERVER_UNIX_SESSIONS_H
#define PERIGEE_MCP_SERVER_UNIX_SESSIONS_H

#include <uv.h>

#include "mcp/server/server.h"

struct unix_sessions;

enum {
    UNIX_SESSIONS_MAX = 32,
    UNIX_MESSAGE = 10 * 1024 * 1024 /* bytes of a message, at most; longer ones are skipped */
};

/* The server is borrowed. */
struct unix_sessions *unix_sessions_new(uv_loop_t *loop, struct server *server);

/* Takes the connection that waits at a listening pipe. It is closed at once if it is another
 * user's, or there are too many. */
void unix_sessions_accept(struct unix_sessions *sessions, uv_stream_t *listener);

/* Ends all, the last word sent as far as the socket takes it. The loop has to turn once more. NULL
 * is fine. */
void unix_sessions_free(struct unix_sessions *sessions);

#endif
