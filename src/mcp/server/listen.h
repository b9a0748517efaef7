/* subscriptions/listen (2026-07-28): a request that stays open and names the changes a client wants
 * to hear of. */
#ifndef PERIGEE_MCP_SERVER_LISTEN_H
#define PERIGEE_MCP_SERVER_LISTEN_H

#include "mcp/server/request/session.h"

/* Something happened: tells those who want to hear of it. what: as registry_options.changed. */
void listens_changed(struct session *session, unsigned what);
/* `watch`: only for those whose watch() said so; NULL: for all. */
void listens_updated(struct session *session, const char *uri,
                     const struct watched_resource *watch);
void listens_task(const struct mcp_task *task); /* for every session */

bool listen_cancel(struct session *session, struct str id); /* that of its request */
void listens_free(struct session *session);

#endif
