/* Lists that come in pages. */
#ifndef PERIGEE_MCP_CLIENT_LISTING_H
#define PERIGEE_MCP_CLIENT_LISTING_H

#include "mcp/client/client_impl.h"

/* Frees all; their calls are dropped by others, or were. No callback. */
void client_drop_listings(struct client *c);

#endif
