/* Where a request comes from, and what for: Host and Origin, against pages that rebind names.
 *
 * A browser sends the name that a page was loaded from. A page that made its name point at this
 * machine still names itself in Host, and says where it is from in Origin, so both have to be of
 * this machine or allowed (modelcontextprotocol.io, "Transports", security). */
#ifndef PERIGEE_MCP_SERVER_HTTP_ORIGIN_H
#define PERIGEE_MCP_SERVER_HTTP_ORIGIN_H

#include "mcp/server/http/endpoint_impl.h"

struct http_listener *http_listener_of(struct httpd_exchange *x);

bool host_allowed(struct http_server *http, struct httpd_exchange *x, const char *host);

/* The Origin header, borrowed, if pages from there may ask; otherwise NULL. */
const char *origin_allowed(struct http_server *http, struct httpd_exchange *x);

#endif
