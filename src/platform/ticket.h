/* How long a piece of desktop work may take, and whether it is still wanted.
 *
 * Given to every operation of platform.h. Work on a desktop waits only in
 * ticket_wait(), which also ends when the work is cancelled or stopped. */
#ifndef PERIGEE_PLATFORM_TICKET_H
#define PERIGEE_PLATFORM_TICKET_H

#include <stdatomic.h>

#include "base/error.h"

enum ticket_stop { TICKET_GOES_ON, TICKET_CANCELLED, TICKET_PANIC };

struct ticket {
    uint64_t deadline;    /* milliseconds of ticket_now(); 0: none */
    _Atomic int stop;     /* enum ticket_stop; set by other threads */
    int wake_fd;          /* becomes readable when stop is set; -1: none. Borrowed */
    uint64_t recheck_max; /* 0, or look at stop at least so often, ms, when wake_fd is -1 */
};

/* A monotonic clock, milliseconds. */
uint64_t ticket_now(void);

/* A ticket without a worker: for tests and for programs without a loop. */
static inline struct ticket ticket_of(uint64_t ms)
{
    return (struct ticket){ .deadline = ms ? ticket_now() + ms : 0, .wake_fd = -1 };
}

/* Milliseconds until the deadline, 0 when it has passed, UINT64_MAX without one. */
uint64_t ticket_left(const struct ticket *ticket);

/* False with "timeout", "cancelled" or "stopped" when the work must end. */
bool ticket_ok(const struct ticket *ticket, struct error *err);

/* Sleeps until fd is readable (true), `until` of ticket_now() has come (true; 0: no such
 * limit) or the work must end (false and err). fd -1: only the time counts. */
bool ticket_wait(struct ticket *ticket, int fd, uint64_t until, struct error *err);

#endif
