/* Looks at a task again and again until it has ended. */
#ifndef PERIGEE_MCP_CLIENT_TASK_POLL_H
#define PERIGEE_MCP_CLIENT_TASK_POLL_H

#include "mcp/client/client_impl.h"

/* Takes the result of a step of a call that may be a task. False: it is the result of the call.
 * *refusal: the error that the task ended with, which is to end the call; or NULL. */
bool client_task_result(struct client_call *call, const cJSON *result, const cJSON **refusal);

/* Does the answer say that the server cannot do without a task? Then the call is sent once more as
 * one. */
bool client_task_needed(struct client_call *call, const struct client_answer *answer);

#endif
