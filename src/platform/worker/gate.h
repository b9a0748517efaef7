/* Whether this process may act on its desktop now: the user's stop, and holds.
 *
 * The stop is a state of the desktop (stop_mark.h). A process also remembers that it was stopped,
 * for when no file can be written; once there was a file, only that counts. */
#ifndef PERIGEE_PLATFORM_WORKER_GATE_H
#define PERIGEE_PLATFORM_WORKER_GATE_H

#include "platform/worker/hold_mark.h"
#include "platform/worker/stop_mark.h"

struct gate;

/* Of no desktop yet: it knows of no files. */
struct gate *gate_new(void);
void gate_free(struct gate *gate); /* NULL is fine */

/* Of this desktop from now on, as platform_place() has it. For the main thread, before other
 * threads have the gate. */
void gate_at(struct gate *gate, const char *place);
const struct place_files *gate_files(const struct gate *gate);

/* On any thread. */
void gate_stop(struct gate *gate);                       /* this process; makes no file */
void gate_allow(struct gate *gate);                      /* the same; removes none */
bool gate_stopped(struct gate *gate, struct error *err); /* err: "stopped" */

#endif
