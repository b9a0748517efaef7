/* The last events of elements, numbered, so that a caller can ask for those since a number, and
 * wait for more. A log has a lock: callers hold it, except for element_log_add() and
 * element_log_hear(). */
#ifndef PERIGEE_PLATFORM_ELEMENT_LOG_H
#define PERIGEE_PLATFORM_ELEMENT_LOG_H

#include <pthread.h>

#include "platform/deadline.h"
#include "platform/element.h"

enum { ELEMENT_LOG_KEPT = 4096 }; /* events; a late caller misses older ones */

/* Zeroed, but for the lock, at the beginning. */
struct element_log {
    pthread_mutex_t lock;
    struct element_event kept[ELEMENT_LOG_KEPT]; /* kept[number % ELEMENT_LOG_KEPT] */
    uint64_t last;                               /* number of the newest; 0: none has come yet */
    struct log_waiter *waiters;
    _Atomic int hearers; /* connections for which element_ops.hear() was called */
};

/* Takes a copy, gives it its number, and wakes all that wait. On any thread. */
void element_log_add(struct element_log *log, const struct element_event *event);
/* The number that the next event will have. */
uint64_t element_log_next(const struct element_log *log);
/* Adds the events from `since` on to `out`, of this process or (0) of all, with the number of
 * missed ones and the number for the next call. The caller frees it with element_events_free(). */
void element_log_copy(const struct element_log *log, int pid, uint64_t since,
                      struct element_events *out);

/* Waits until an event came, or element_log_wake() was called, or until `until`. The lock is
 * released meanwhile. False: as deadline_wait(). */
bool element_log_wait(struct element_log *log, struct deadline *deadline, uint64_t until,
                      struct error *err);
void element_log_wake(struct element_log *log);

/* Counts a hearer more or less: *hears, of its connection, becomes `on`. */
void element_log_hear(struct element_log *log, bool *hears, bool on);

#endif
