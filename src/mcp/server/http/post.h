/* POST: from the body of a request to the session it is for. */
#ifndef PERIGEE_MCP_SERVER_HTTP_POST_H
#define PERIGEE_MCP_SERVER_HTTP_POST_H

#include "mcp/server/http/endpoint_impl.h"

void http_check_post(struct http_server *http, struct httpd_exchange *x); /* its head; may answer */
void http_post(struct http_server *http, struct httpd_exchange *x);

#endif
