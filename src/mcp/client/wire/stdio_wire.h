/* The MCP client and the server it talks to, a child process of ours. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_STDIO_WIRE_H
#define PERIGEE_MCP_CLIENT_WIRE_STDIO_WIRE_H

#include "mcp/client/client.h"

struct mcp_client;

/* Zero is the sensible default for every field but argv. Copied. */
struct mcp_server_spec {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up on PATH */
    const char *cwd;         /* NULL: ours */
    const char *const *env;  /* "K=V", NULL-terminated: besides what environment_passed() gives */
    uint64_t close_ms;       /* from closing its stdin to SIGTERM; 0: 2000 */
    uint64_t term_ms;        /* from SIGTERM to SIGKILL; 0: 2000 */
};

/* Starts the server and begins the session; events.ready or events.closed
 * follows. A server of the older era is started a second time for it. NULL and
 * err as process_start() has it ("not_found", ...). Owned by the caller. */
struct mcp_client *mcp_client_start(uv_loop_t *loop, const struct mcp_server_spec *spec,
                                    const struct client_options *options,
                                    const struct client_events *events, void *arg,
                                    struct error *err);

/* For requests, and for client_close(): stdin is closed, then SIGTERM, then
 * SIGKILL, then events.closed. Borrowed. */
struct client *mcp_client_session(const struct mcp_client *mcp);

/* The server's process id; -1 when there is none now. */
int mcp_client_pid(const struct mcp_client *mcp);

/* At any time, in any callback. Accepts NULL. Kills what is left of the server;
 * no event or callback follows. The loop has to turn once more. */
void mcp_client_free(struct mcp_client *mcp);

#endif
