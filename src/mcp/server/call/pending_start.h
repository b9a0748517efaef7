/* How a request becomes a call. */
#ifndef PERIGEE_MCP_SERVER_CALL_PENDING_START_H
#define PERIGEE_MCP_SERVER_CALL_PENDING_START_H

#include "mcp/server/call/pending.h"

struct start {
    struct input_round *round; /* taken */
    const char *subject;       /* a string to keep, or NULL */
    struct mcp_task *task;     /* it was answered with this already; or NULL */
    bool may_be_task;          /* it becomes one when it takes long */
    bool quiet;                /* no notices ride on its result */
    const char *from_text;     /* names of arguments that came as JSON in strings; or NULL */
};

/* Starts the call; what the spec says of the client is filled in, and `done` gets the struct
 * pending, which it has to pending_free(). */
void pending_start(const struct request *request, const struct start *start,
                   struct call_spec *spec);

/* Starts a call in place of the one that is done. */
void pending_call(struct pending *pending, struct call_spec *spec);

#endif
