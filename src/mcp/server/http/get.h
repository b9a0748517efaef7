/* GET and DELETE at the endpoint. */
#ifndef PERIGEE_MCP_SERVER_HTTP_GET_H
#define PERIGEE_MCP_SERVER_HTTP_GET_H

#include "mcp/server/http/endpoint_impl.h"

/* A session's own stream, or one that was lost and is to be told on. */
void http_get(struct http_server *http, struct httpd_exchange *x);

/* The end of a session. */
void http_delete(struct http_server *http, struct httpd_exchange *x);

#endif
