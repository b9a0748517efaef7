/* The HTTP headers that say again what a message says. */
#ifndef PERIGEE_MCP_CLIENT_MIRROR_HEADERS_H
#define PERIGEE_MCP_CLIENT_MIRROR_HEADERS_H

#include "mcp/client/client_impl.h"

/* Appends those of the message in c->out. method: NULL for an answer of ours. */
void client_mirror_headers(struct client *c, const char *method, struct header_list *headers);

#endif
