/* Why a server did not take a message. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_HTTP_REFUSAL_H
#define PERIGEE_MCP_CLIENT_WIRE_HTTP_REFUSAL_H

#include "mcp/client/wire/http_post.h"

/* The method, for messages. */
const char *post_name(const struct post *post);

/* Says why by the status of the answer: "unauthorized", "forbidden" or "http_status". */
void post_explain(const struct post *post, struct error *err);

#endif
