/* The last events of elements, numbered, so that a caller can ask for those since a number. Only
 * one thread at a time may use a log: its owner has a lock for it. */
#ifndef PERIGEE_PLATFORM_ELEMENT_LOG_H
#define PERIGEE_PLATFORM_ELEMENT_LOG_H

#include "platform/element.h"

enum { ELEMENT_LOG_KEPT = 4096 }; /* events; a late caller misses older ones */

struct element_log {
    struct element_event kept[ELEMENT_LOG_KEPT]; /* kept[number % ELEMENT_LOG_KEPT] */
    uint64_t last;                               /* number of the newest; 0: none has come yet */
};

/* Takes a copy, and gives it its number. */
void element_log_add(struct element_log *log, const struct element_event *event);
/* The number that the next event will have. */
uint64_t element_log_next(const struct element_log *log);
/* Adds the events from `since` on to `out`, of this process or (0) of all, with the number of
 * missed ones and the number for the next call. The caller frees it with element_events_free(). */
void element_log_copy(const struct element_log *log, int pid, uint64_t since,
                      struct element_events *out);

#endif
