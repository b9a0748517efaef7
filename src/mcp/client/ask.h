/* The server's questions: roots, sampling, elicitation. */
#ifndef PERIGEE_MCP_CLIENT_ASK_H
#define PERIGEE_MCP_CLIENT_ASK_H

#include "mcp/client/client_impl.h"

/* A request of a legacy server. id: JSON text. It is answered now, or by client_reply(). */
void client_asked(struct client *c, struct str id, const char *method, const cJSON *params);

/* The call's answer is that a modern server wants input first. Ends the call if we cannot give it;
 * otherwise it is sent again when all questions are answered. May end in client_free(). */
void client_input_required(struct client_call *call, const cJSON *result);

#endif
