/* The requestStates that were answered (2026-07-28): each counts once, in all sessions.
 *
 * A call that waits has a name and a number for each round of questions. Its answer uses up this
 * round and those before it. Where the key that signs states is shared, so is this memory: a
 * private file, answered-states in the state folder, read and written under a lock. An entry stays
 * until its states are too old to count, and at most USED_STATES_MAX are kept. */
#ifndef PERIGEE_MCP_SERVER_CALL_USED_STATES_H
#define PERIGEE_MCP_SERVER_CALL_USED_STATES_H

#include <stdbool.h>
#include <time.h>

#include "base/error.h"

enum { USED_STATES_MAX = 8192 };

struct used_states;

/* `shared`: with all engines of this user. Owned by the caller. */
struct used_states *used_states_new(bool shared);
void used_states_free(struct used_states *used); /* NULL is fine */

struct used_state {
    const char *run; /* names the call */
    unsigned number; /* the round that was answered */
    unsigned last;   /* the last round that is used up with it, and those before it */
    time_t until;    /* when the states of these end, in seconds since 1970 */
};

/* False: err. "used_state": this round was used up before; "busy": too many are remembered, or
 * another engine keeps the file; or the file cannot be read or written. */
bool used_states_take(struct used_states *used, const struct used_state *state, struct error *err);

#endif
