/* The params of a request: what the caller gave, and what the era adds to it. */
#ifndef PERIGEE_MCP_CLIENT_PARAMS_H
#define PERIGEE_MCP_CLIENT_PARAMS_H

#include "mcp/client/client_impl.h"

/* Appends ,"params":{...}, or nothing. call: NULL for a notification. params: the JSON text of an
 * object, or NULL. False: err, "bad_params". */
bool client_write_params(struct client *c, struct buf *out, const struct client_call *call,
                         const char *params, struct error *err);

#endif
