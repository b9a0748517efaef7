/* The Host and Origin headers that the server allows. */
#ifndef PERIGEE_MCP_SERVER_HTTP_ORIGIN_H
#define PERIGEE_MCP_SERVER_HTTP_ORIGIN_H

#include "mcp/server/http/endpoint_impl.h"

struct http_listener *http_listener_of(struct httpd_exchange *x);

bool host_allowed(struct http_server *http, struct httpd_exchange *x, const char *host);

/* The Origin header, borrowed, if pages from there may ask; otherwise NULL. */
const char *origin_allowed(struct http_server *http, struct httpd_exchange *x);

#endif
