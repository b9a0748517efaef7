/* Tasks as JSON, in the shapes of either revision. */
#ifndef PERIGEE_MCP_SERVER_CALL_MCP_TASK_WIRE_H
#define PERIGEE_MCP_SERVER_CALL_MCP_TASK_WIRE_H

#include "mcp/server/call/mcp_task.h"

/* The members of a Task, without braces. */
void mcp_task_write(struct buf *out, const struct mcp_task *task);
/* Those, and what its status has: result, error or inputRequests (2026-07-28). */
void mcp_task_write_detailed(struct buf *out, const struct mcp_task *task);

/* Answers a tools/call with a task. */
void mcp_task_reply_created(const struct mcp_task *task, const struct request *request);

#endif
