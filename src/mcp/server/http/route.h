/* Finds the function that answers a request. */
#ifndef PERIGEE_MCP_SERVER_HTTP_ROUTE_H
#define PERIGEE_MCP_SERVER_HTTP_ROUTE_H

#include "mcp/server/http/endpoint_impl.h"

extern const struct httpd_events http_route; /* for each listener */

/* An exchange whose request is in: answers it, now or later. */
void http_serve(struct http_server *http, struct httpd_exchange *x, enum httpd_body body);

#endif
