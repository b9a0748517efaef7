/* /metrics in the text format of Prometheus. */
#ifndef PERIGEE_MCP_SERVER_HTTP_METRICS_H
#define PERIGEE_MCP_SERVER_HTTP_METRICS_H

#include "mcp/server/http/endpoint_impl.h"

void http_metrics(struct http_server *http, struct buf *out);

#endif
