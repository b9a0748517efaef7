/* The user's stop, as a state of a desktop: a file that every process looks for before it acts.
 *
 * The file stops by its existence; its content says who stopped when. It lasts until it is removed,
 * and ends with the run of the system, and with the X server, for which it was made: a later one
 * under the same name is another desktop. The functions work on any thread. */
#ifndef PERIGEE_PLATFORM_WORKER_STOP_MARK_H
#define PERIGEE_PLATFORM_WORKER_STOP_MARK_H

#include "base/error.h"
#include "platform/worker/place_files.h"

enum { STOP_MARKS_MAX = 64 };

struct stop_mark {
    char place[128]; /* PLACE_ALL: each desktop */
    char by[128];    /* in words: "`perigee stop` (process 4711)" */
    int64_t since;   /* seconds since 1970 */
};

/* Stops the desktop of the files. False: no folder took it, and the first one's reason. */
bool stop_mark_set(const struct place_files *files, const char *by, struct error *err);

/* True if the desktop is stopped, by its own mark or by that of all; takes microseconds if it is
 * not. `mark` may be NULL. */
bool stop_mark_find(const struct place_files *files, struct stop_mark *mark);

/* Ends the stop of the desktop; of PLACE_ALL, those of all. False: a mark cannot be removed, or
 * "all_stopped", a stop of all desktops stays. */
bool stop_mark_clear(const struct place_files *files, struct error *err);

/* Lists the stops of all desktops; returns their number. Removes old ones. */
size_t stop_mark_list(const struct place_files *files, struct stop_mark marks[STOP_MARKS_MAX]);

/* Sets "stopped": by whom and when, and the next step. Returns false. */
bool stop_mark_refuse(const struct stop_mark *mark, struct error *err);

/* "2026-01-02 03:04:05", local time. */
enum { STOP_WHEN = 32 };
void stop_mark_when(const struct stop_mark *mark, char out[STOP_WHEN]);

#endif
