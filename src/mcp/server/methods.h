/* The methods of the protocol, and the table of them (methods.c).
 *
 * A method gets a request whose name and era are right. It replies now or later, with a result or
 * an error, and has to hold the sink in between. */
#ifndef PERIGEE_MCP_SERVER_METHODS_H
#define PERIGEE_MCP_SERVER_METHODS_H

#include "mcp/server/request/session.h"

typedef void method_fn(struct request *request);

/* lifecycle.c */
method_fn method_initialize, method_discover, method_ping, method_set_level;
method_fn method_shutdown, method_exit;
/* lists.c */
method_fn method_tools_list, method_prompts_list, method_resources_list, method_templates_list;
/* tools_call.c, prompts.c, resources.c, complete.c, listen.c */
method_fn method_tools_call, method_prompts_get, method_resources_read, method_complete;
method_fn method_listen;
/* resource_subscriptions.c */
method_fn method_subscribe, method_unsubscribe;
/* mcp_task_methods.c */
method_fn method_tasks_get, method_tasks_result, method_tasks_list, method_tasks_cancel;
method_fn method_tasks_update;

/* Calls the method of the request, or replies with an error: no such method in its era, or a wrong
 * envelope. */
void methods_answer(struct request *request);

/* A notification. */
void methods_hear(struct session *session, const struct message *message);

/* The client sent `exit`. */
void session_leave(struct session *session);

#endif
