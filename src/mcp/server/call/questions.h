/* The questions of a call to its client. Before 2026-07-28 each is a request of ours, and its
 * response an answer; since then they are a result that asks for input (input_required.h). Those of
 * a task travel with what is asked about the task. */
#ifndef PERIGEE_MCP_SERVER_CALL_QUESTIONS_H
#define PERIGEE_MCP_SERVER_CALL_QUESTIONS_H

#include "mcp/server/call/mcp_task.h"

/* For struct call_spec; arg: the struct pending. */
bool pending_ask(void *arg, struct elicitation *elicitation, struct error *err);
void pending_unask(void *arg, struct elicitation *elicitation);
bool pending_can(void *arg, int kind);

/* A response to a request of ours. False: it is to none that is open. */
bool session_answer(struct session *session, const struct message *message);

/* tasks/update (2026-07-28). Takes the answers to what is asked, and no others. False: err; one
 * does not fit. */
bool questions_answer_task(struct mcp_task *task, const cJSON *responses, struct error *err);

#endif
