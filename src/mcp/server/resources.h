/* Resources: by which file a URI is served. */
#ifndef PERIGEE_MCP_SERVER_RESOURCES_H
#define PERIGEE_MCP_SERVER_RESOURCES_H

#include "mcp/server/request/session.h"
#include "registry/uri_template.h"

/* The entry that serves this URI, borrowed from the current generation, and the values of its
 * template's variables; NULL: none. */
struct entry *find_resource(const struct server *server, const char *uri,
                            struct uri_values *values);

/* params.uri; NULL: an error was sent. */
const char *resource_uri(const struct request *request);
/* `why`: what is said besides, or "". */
void resource_reply_missing(const struct request *request, const char *uri, const char *why);

/* May this session's caller hear that the resource changed? Not where the policy denies reading it.
 */
bool resource_may_be_told(struct session *session, const char *uri);

#endif
