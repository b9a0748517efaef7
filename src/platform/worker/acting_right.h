/* Whether this process may act on its desktop now: the user's stop, and holds.
 *
 * The stop is a state of the desktop (stop_mark.h). A process also remembers that it was stopped,
 * in case no file can be written; once there was a file, only the file counts. */
#ifndef PERIGEE_PLATFORM_WORKER_ACTING_RIGHT_H
#define PERIGEE_PLATFORM_WORKER_ACTING_RIGHT_H

#include "platform/worker/hold_mark.h"
#include "platform/worker/stop_mark.h"

struct acting_right;

/* A right without a desktop: it knows of no files. */
struct acting_right *acting_right_new(void);
void acting_right_free(struct acting_right *right); /* NULL is fine */

/* Sets the desktop of the right, as platform_place() names it. For the main thread, before other
 * threads have it. */
void acting_right_at(struct acting_right *right, const char *place);
const struct place_files *acting_right_files(const struct acting_right *right);

/* On any thread. */
void acting_right_stop(struct acting_right *right);  /* stops this process; makes no file */
void acting_right_allow(struct acting_right *right); /* undoes that; removes no file */
bool acting_right_stopped(struct acting_right *right, struct error *err); /* err: "stopped" */

#endif
