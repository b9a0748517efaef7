/* A hold: while it lasts, no process of the user acts on the desktop. For questions to the user on
 * the screen, which only the user may answer.
 *
 * A hold is a file that names its process and the time when that began, so that it ends with the
 * process. A process that acts locks another file meanwhile, together with others; a hold that has
 * begun waits until no process acts. The functions work on any thread. */
#ifndef PERIGEE_PLATFORM_WORKER_HOLD_MARK_H
#define PERIGEE_PLATFORM_WORKER_HOLD_MARK_H

#include "base/error.h"
#include "platform/worker/place_files.h"

struct hold_mark {
    char *paths[RUNTIME_FOLDERS_MAX];
    size_t count;
};

/* Sets a hold: no action begins from now on. False: no folder took it, and the first one's
 * reason. */
bool hold_mark_set(const struct place_files *files, struct hold_mark *mark, struct error *err);
void hold_mark_clear(struct hold_mark *mark); /* zeroed is fine */

/* A process that holds the desktop; 0: none does. Takes microseconds if none does. */
int hold_mark_find(const struct place_files *files);

/* True if every action that was under way when a hold began has ended. */
bool hold_mark_quiet(const struct place_files *files);

/* An action that is under way. Zeroed memory is none. */
struct acting {
    int fds[RUNTIME_FOLDERS_MAX];
    size_t count;
};

/* Begins an action. False: the desktop is held, and the action has not begun. */
bool acting_begin(const struct place_files *files, struct acting *acting);
void acting_end(struct acting *acting);

#endif
