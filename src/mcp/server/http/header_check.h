/* Headers that repeat what the body says (2026-07-28). */
#ifndef PERIGEE_MCP_SERVER_HTTP_HEADER_CHECK_H
#define PERIGEE_MCP_SERVER_HTTP_HEADER_CHECK_H

#include "mcp/message.h"
#include "mcp/server/http/endpoint_impl.h"

/* True if they agree. Otherwise why has the reason. */
bool headers_agree(struct http_server *http, struct httpd_exchange *x,
                   const struct message *message, char why[256]);

#endif
