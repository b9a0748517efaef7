/* tools/list for another Perigee, which mounts this one: params._meta has "perigee/known": true. It
 * gets all tools that a call by name reaches, each as a list shows it, and more in its _meta:
 *
 *   "perigee/listed": false             lists leave this tool out
 *   "perigee/whole": {"inputSchema":..., "outputSchema":...}
 *                                       where lists show less of them
 *
 * So it checks arguments as this one does, describes a tool whole, and finds what is not listed.
 * Other clients get neither. */
#ifndef PERIGEE_MCP_SERVER_KNOWN_H
#define PERIGEE_MCP_SERVER_KNOWN_H

#include "mcp/server/request/session.h"

struct entry;

bool known_is_wanted(const struct request *request);

/* Appends the tool's definition, which a list shows as `listed`, with these marks. */
void known_write(struct entry *entry, struct str listed, bool is_listed, struct buf *out);

#endif
