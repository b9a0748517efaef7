/* The resources that a session is subscribed to (before 2026-07-28). */
#ifndef PERIGEE_MCP_SERVER_RESOURCE_SUBSCRIPTIONS_H
#define PERIGEE_MCP_SERVER_RESOURCE_SUBSCRIPTIONS_H

#include "mcp/server/request/session.h"

/* The content of this resource changed: tells the session if it wants to hear of it. */
void subscriptions_updated(struct session *session, const char *uri);
void subscriptions_free(struct session *session);

#endif
