/* A tools/call that may be a task of the server.
 *
 * 2025-11-25: the call asks for a task, tasks/get is how it is, and tasks/result has the result,
 * and before that, as requests of the server, its questions. Since 2026-07-28 the server decides,
 * and all is in what tasks/get answers; tasks/update brings answers. One struct client_call goes
 * through all of these requests, under a new id each time. */
#ifndef PERIGEE_MCP_CLIENT_REMOTE_TASK_H
#define PERIGEE_MCP_CLIENT_REMOTE_TASK_H

#include "mcp/client/client_impl.h"

/* A tools/call that may be a task. The call goes from request to request until it is over. */
struct remote_task {
    char *id;            /* NULL: it was not made yet, or never will be */
    uint64_t ttl_ms;     /* that is asked for; 0: none */
    uint64_t poll_ms;    /* between two looks at it */
    struct timer *timer; /* until the next one; the call is `asking` then */
    int64_t token;       /* the first request's id: progress of the task names that */
    bool bounded;        /* the caller has set the time that it may take */
    char *status;        /* as it was told last; "STATUS MESSAGE"; NULL: never */
    struct buf answered; /* "\nNAME\n" of each question that was asked */
};

bool client_is_task(const struct client_call *call); /* the server has made it one */

/* May it be one, and has the server said that it takes tools/call as a task (2025-11-25)? */
bool client_wants_task(const struct client_call *call);
bool client_task_waits(const struct client_call *call); /* for its end, not for an answer */

/* The params that name it, as JSON text. Owned by the caller. */
char *client_task_params(const struct remote_task *task);

/* This method is the call's next request. */
void client_task_step(struct client_call *call, const char *method);
void client_task_update(struct client_call *call); /* the next request brings answers */

/* The questions that it has put: a name stands for one only. A call that is not a task has put
 * none.
 */
bool client_task_asked(const struct client_call *call, const char *name);
void client_task_note(struct client_call *call, const char *name);

void client_task_free(struct remote_task *task); /* accepts NULL */

#endif
