/* The server's stdio transport: one JSON-RPC message a line.
 *
 * The real stdout is moved to a private descriptor and fd 1 made to point at
 * stderr, so that no print and no library can put a stray byte on the wire
 * (modelcontextprotocol.io, "Transports", stdio). */
#ifndef PERIGEE_MCP_SERVER_STDIO_H
#define PERIGEE_MCP_SERVER_STDIO_H

#include <uv.h>

#include "mcp/server/server.h"

struct stdio;

enum {
    STDIO_MESSAGE = 10 * 1024 * 1024
}; /* bytes of a message, at most; longer ones are skipped */

struct stdio_events {
    void (*idle)(void *arg);   /* once: the first request was answered, there is time now */
    void (*closed)(void *arg); /* once: input ended, or the client sent exit, or stopped reading */
    void *arg;
};

/* Takes over fds 0 and 1 of the process. NULL: err. */
struct stdio *stdio_start(uv_loop_t *loop, struct server *server, const struct stdio_events *events,
                          struct error *err);

/* Cancels the calls, writes what is left (as long as the reader takes it), gives
 * the descriptors back. The loop must run once more. NULL is fine. */
void stdio_free(struct stdio *stdio);

/* True if its output could not be written, unless the client had left. */
bool stdio_failed(const struct stdio *stdio);

#endif
