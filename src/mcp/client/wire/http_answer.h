/* The answer to one message. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_HTTP_ANSWER_H
#define PERIGEE_MCP_CLIENT_WIRE_HTTP_ANSWER_H

#include "http/client/request.h"

/* For the exchanges of a struct post. */
extern const struct http_events post_events;

#endif
