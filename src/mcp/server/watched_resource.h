/* Resources that have subscribers. A file may have watch(uri, params, call): it runs as
 * long as there are subscribers and says call:updated() when there is something new. */
#ifndef PERIGEE_MCP_SERVER_WATCHED_RESOURCE_H
#define PERIGEE_MCP_SERVER_WATCHED_RESOURCE_H

#include "mcp/server/request/session.h"

struct watched_resource;

/* One more is subscribed to it. Callers with one owner share its watch(), which is judged as done
 * by the first of them; NULL: the engine itself. Another owner has one of its own: there may be
 * something under this URI for one, and nothing for another. NULL: its file says that there is
 * nothing. Borrowed until it is dropped. */
struct watched_resource *watched_resource_hold(struct server *server, struct caller *caller,
                                               const char *uri);
void watched_resource_drop(struct watched_resource *watch);

/* Files changed: what another file serves now, or the same one in a new version, has new content.
 */
void watched_resources_reload(struct server *server);

#endif
