/* The resources that a session is subscribed to (before 2026-07-28). */
#ifndef PERIGEE_MCP_SERVER_RESOURCE_SUBSCRIPTIONS_H
#define PERIGEE_MCP_SERVER_RESOURCE_SUBSCRIPTIONS_H

#include "mcp/server/request/session.h"

/* The content of this resource changed: tells the session if it wants to hear of it. */
/* `watch`: only for those whose watch() said so; NULL: for all. */
void subscriptions_updated(struct session *session, const char *uri,
                           const struct watched_resource *watch);
void subscriptions_free(struct session *session);

#endif
