/* The session: a message out, whether requests may be made, and its failure. */
#ifndef PERIGEE_MCP_CLIENT_CLIENT_SESSION_H
#define PERIGEE_MCP_CLIENT_CLIENT_SESSION_H

#include "mcp/client/client_impl.h"

/* Sends c->out. method: NULL for an answer; id: 0 unless it is a request. */
bool client_send(struct client *c, const char *method, int64_t id, struct error *err);

/* Checks that requests may be made. False: "not_ready" or "closed". */
bool client_open(const struct client *c, struct error *err);

/* Ends the session, and events.closed will say why. The first reason stays. */
void client_fail(struct client *c, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
