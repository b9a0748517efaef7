/* The time that a piece of desktop work may take, and whether it is still wanted.
 *
 * Every operation of platform.h has one. Work on a desktop waits only in deadline_wait(), which
 * also ends when the work is cancelled or stopped. */
#ifndef PERIGEE_PLATFORM_DEADLINE_H
#define PERIGEE_PLATFORM_DEADLINE_H

#include <stdatomic.h>

#include "base/error.h"

enum deadline_stop { DEADLINE_GOES_ON, DEADLINE_CANCELLED, DEADLINE_PANIC };

struct deadline {
    uint64_t at;          /* milliseconds of deadline_now(); 0: none */
    _Atomic int stop;     /* enum deadline_stop; set by other threads */
    int wake_fd;          /* becomes readable when stop is set; -1: none. Borrowed */
    bool wake_ends;       /* a readable wake_fd cancels the work */
    uint64_t recheck_max; /* if wake_fd is -1, `stop` is checked at least so often, ms; 0: no such
                             limit */
    bool acts; /* the work changes something, and may have done so when its time is over */
};

/* A monotonic clock, milliseconds. */
uint64_t deadline_now(void);

/* A deadline without a worker: for tests and for programs without a loop. */
static inline struct deadline deadline_of(uint64_t ms)
{
    return (struct deadline){ .at = ms ? deadline_now() + ms : 0, .wake_fd = -1 };
}

/* Milliseconds until the deadline, 0 when it has passed, UINT64_MAX without one. */
uint64_t deadline_left(const struct deadline *deadline);

/* Sets "timeout", and whether the action may have been done. Returns false. */
bool deadline_passed(bool acts, struct error *err);

/* False with "timeout", "cancelled" or "stopped" when the work must end. */
bool deadline_ok(const struct deadline *deadline, struct error *err);

/* Sleeps until fd is readable (true), `until` of deadline_now() has come (true; 0: no such
 * limit) or the work must end (false and err). fd -1: only the time counts. */
bool deadline_wait(struct deadline *deadline, int fd, uint64_t until, struct error *err);

#endif
