/* Requests of ours: the table of pending calls, and their ends.
 *
 * A call belongs to its client. client_finish() and all that ends calls run its callback, and that
 * may end other calls and free the client. */
#ifndef PERIGEE_MCP_CLIENT_CALLS_H
#define PERIGEE_MCP_CLIENT_CALLS_H

#include "mcp/client/client_impl.h"

struct client_call *client_find(struct client *c, int64_t id); /* NULL: it is over */

/* Sends a request in any state. handshake: it is not to be cancelled. NULL: as client_request(). */
struct client_call *client_post(struct client *c, const char *method, const char *params,
                                const struct client_limits *limits,
                                const struct client_callbacks *callbacks, void *arg, bool handshake,
                                struct error *err);

/* The same request under a new id, with what the server asked for. */
bool client_post_again(struct client_call *call, struct error *err);

void client_finish(struct client_call *call, const struct client_answer *answer);
void client_finish_failed(struct client_call *call, const char *code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void client_finish_all(struct client *c, const struct error *why);
void client_expire(struct client *c); /* ends those whose time is up; sets the timer again */

/* Tells the server that its task, if it is one, is not wanted any more; the call itself stays. */
void client_abandon_task(struct client_call *call);

void client_drop_calls(struct client *c); /* without a callback */

#endif
