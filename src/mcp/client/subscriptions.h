/* The notifications that the server is to send: changes of its lists and of resources. */
#ifndef PERIGEE_MCP_CLIENT_SUBSCRIPTIONS_H
#define PERIGEE_MCP_CLIENT_SUBSCRIPTIONS_H

#include "mcp/client/client_impl.h"

/* To what is wanted now (modern servers; nothing happens with others). */
void client_listen(struct client *c);
void client_listen_acknowledged(struct client *c);

/* A new session of a legacy server knows nothing of the resources that the old one watched. */
void client_subscribe_again(struct client *c);
void client_drop_subscriptions(struct client *c);

#endif
