/* How long a call may take: its deadlines, and what puts them off. Times are ms of the loop's
 * clock. */
#ifndef PERIGEE_MCP_CLIENT_DEADLINES_H
#define PERIGEE_MCP_CLIENT_DEADLINES_H

#include "mcp/client/client_impl.h"

uint64_t client_now(struct client *c);

/* The timer fires at this time, if not before; then client->expire is called. */
void client_watch(struct client *c, uint64_t deadline);

/* limits: NULL for the client's own. Starts the clock. */
void client_set_limits(struct client_call *call, const struct client_limits *limits);

/* `last` is the only limit from now on. */
void client_wait_until(struct client_call *call, uint64_t last);

/* The time for an answer begins again: something was heard. */
void client_restart_clock(struct client_call *call);
void client_restart_clocks(struct client *c); /* for all calls but tasks that only have to end */

/* Its time stands still while it is held. */
void client_hold_clock(struct client_call *call, bool held);

/* When it has to end. While the user is asked something, calls wait for people: a legacy server
 * does not say which call its question belongs to. */
uint64_t client_due(const struct client_call *call);

#endif
