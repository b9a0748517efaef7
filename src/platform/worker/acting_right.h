/* Whether this process may act on its desktop now: the user's stop, and holds.
 *
 * The stop is a state of the desktop (stop_mark.h). A process also remembers that it was stopped,
 * for when no file can be written; once there was a file, only that counts. */
#ifndef PERIGEE_PLATFORM_WORKER_ACTING_RIGHT_H
#define PERIGEE_PLATFORM_WORKER_ACTING_RIGHT_H

#include "platform/worker/hold_mark.h"
#include "platform/worker/stop_mark.h"

struct acting_right;

/* A right without a desktop: it knows of no files. */
struct acting_right *acting_right_new(void);
void acting_right_free(struct acting_right *right); /* NULL is fine */

/* From now on the right is for this desktop, as platform_place() names it. For the main thread,
 * before other threads have it. */
void acting_right_at(struct acting_right *right, const char *place);
const struct place_files *acting_right_files(const struct acting_right *right);

/* On any thread. */
void acting_right_stop(struct acting_right *right);  /* this process; makes no file */
void acting_right_allow(struct acting_right *right); /* the same; removes none */
bool acting_right_stopped(struct acting_right *right, struct error *err); /* err: "stopped" */

#endif
