/* tools/call as a task. */
#ifndef PERIGEE_MCP_SERVER_MCP_TASK_METHODS_H
#define PERIGEE_MCP_SERVER_MCP_TASK_METHODS_H

#include "mcp/server/call/mcp_task.h"

/* Settles how a tools/call of this tool runs. False: an error was sent. *task: the one that it is
 * to be, or NULL; *may: it may become one. */
bool mcp_task_settle(const struct request *request, const struct entry *entry,
                     struct mcp_task **task, bool *may);

#endif
