/* Whether this process may act on its desktop now: the user's stop, and holds. */
#ifndef PERIGEE_PLATFORM_WORKER_GATE_H
#define PERIGEE_PLATFORM_WORKER_GATE_H

#include "platform/worker/hold_mark.h"

struct gate;

/* Of no desktop yet: it knows of no files. */
struct gate *gate_new(void);
void gate_free(struct gate *gate); /* NULL is fine */

/* Of this desktop from now on, as platform_place() has it. For the main thread, before other
 * threads have the gate. */
void gate_at(struct gate *gate, const char *place);
const struct place_files *gate_files(const struct gate *gate);

/* On any thread. */
void gate_stop(struct gate *gate);
void gate_allow(struct gate *gate);
bool gate_stopped(struct gate *gate, struct error *err); /* err: "stopped" */

#endif
