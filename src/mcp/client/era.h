/* Finding the era the server speaks. */
#ifndef PERIGEE_MCP_CLIENT_ERA_H
#define PERIGEE_MCP_CLIENT_ERA_H

#include "mcp/client/client_impl.h"

/* The connection is up. */
void client_begin(struct client *c);

/* It ended during the probe. True: a fresh one is on its way. */
bool client_fall_back(struct client *c);

/* Did the server refuse our version though it lists it? Then the call is sent once more. */
bool client_try_version(struct client_call *call, const struct client_answer *answer);

#endif
