/* The tasks of a server: whose they are, and how many there may be. */
#ifndef PERIGEE_MCP_SERVER_CALL_MCP_TASKS_H
#define PERIGEE_MCP_SERVER_CALL_MCP_TASKS_H

#include "mcp/server/call/mcp_task.h"

enum {
    MCP_TASKS_ALL = 1024,    /* kept at once */
    MCP_TASKS_OWNED = 256,   /* kept for one owner */
    MCP_TASKS_RUNNING = 128, /* not ended yet */
    MCP_TASKS_OWNED_RUNNING = 32,
    MCP_TASKS_BYTES = 128 << 20, /* all results */
    MCP_TASKS_OWNED_BYTES = 32 << 20,
};

bool mcp_task_ended(const struct mcp_task *task);
bool mcp_task_belongs(const struct mcp_task *task, const struct session *session, bool modern);

/* The one with this id, if it is the session's, and of this era; else NULL. */
struct mcp_task *mcp_task_find(const struct session *session, bool modern, struct str id);
bool mcp_tasks_running(const struct session *session);

/* Checks that the session may have one more. False: err, "too_many_tasks". */
bool mcp_task_room(const struct session *session, struct error *err);

/* The bytes of its result when there is no room for it; otherwise 0. *own_excess: its owner keeps
 * too much; otherwise all owners together do. */
size_t mcp_task_excess(const struct mcp_task *task, bool *own_excess);

#endif
