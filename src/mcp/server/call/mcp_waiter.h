/* Requests that wait for a task's result: tasks/result, before 2026-07-28. The questions of the
 * task are sent to the first of them. */
#ifndef PERIGEE_MCP_SERVER_CALL_MCP_WAITER_H
#define PERIGEE_MCP_SERVER_CALL_MCP_WAITER_H

#include "mcp/server/request/session.h"

struct mcp_task;

/* Waits for the end of the task, which has not ended; or an error was sent. */
void mcp_waiter_add(struct mcp_task *task, const struct request *request);

/* The one of the session with this id is not waited for any more. */
bool mcp_waiter_cancel(struct session *session, struct str id);

/* The result of a task that has ended. */
void mcp_task_reply_result(const struct mcp_task *task, const struct request *request);

void mcp_waiters_answer(struct mcp_task *task); /* it has ended */
void mcp_waiters_refuse(struct mcp_task *task, const char *text);
void mcp_waiters_ask(struct mcp_task *task); /* sends what was not sent, if a request waits */

/* Where the task's questions go: the session's own sink, when no request waits. */
struct sink *mcp_waiter_sink(const struct mcp_task *task);

#endif
