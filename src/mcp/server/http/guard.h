/* Checks who sends a request: Host and Origin, and the token. */
#ifndef PERIGEE_MCP_SERVER_HTTP_GUARD_H
#define PERIGEE_MCP_SERVER_HTTP_GUARD_H

#include "mcp/server/http/endpoint_impl.h"

/* False: it may not go on, and was answered. */
bool guard_origin(struct http_server *http, struct httpd_exchange *x);

/* Sets http->who when it may go on. */
enum admission guard_token(struct http_server *http, struct httpd_exchange *x);

#endif
