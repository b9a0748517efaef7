/* input_required (2026-07-28): a result that asks, and the same request once more with the answers.
 */
#ifndef PERIGEE_MCP_SERVER_CALL_INPUT_REQUIRED_H
#define PERIGEE_MCP_SERVER_CALL_INPUT_REQUIRED_H

#include "mcp/server/call/pending.h"

/* Looks at inputResponses and requestState. False: there is nothing to start, since it went on
 * where it was, or an error was sent. Otherwise `round` is to be handed on, or freed. */
bool input_round_read(const struct request *request, struct input_round *round);

/* Answers with the open questions and keeps the call until the client comes back. False: err. */
bool pending_park(struct pending *pending, struct error *err);

#endif
