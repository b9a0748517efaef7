/* Resources that have subscribers. A file may have watch(uri, params, call): it runs as
 * long as there are subscribers and says call:updated() when there is something new. */
#ifndef PERIGEE_MCP_SERVER_WATCHED_RESOURCE_H
#define PERIGEE_MCP_SERVER_WATCHED_RESOURCE_H

#include "mcp/server/request/session.h"

/* One more is subscribed to it. What watch() does is judged as done by the first one's caller;
 * NULL: the engine itself. False: its file says that there is nothing under this URI. */
bool watched_resource_hold(struct server *server, struct caller *caller, const char *uri);
void watched_resource_drop(struct server *server, const char *uri);

/* Files changed: what another file serves now, or the same one in a new version, has new content.
 */
void watched_resources_reload(struct server *server);

#endif
