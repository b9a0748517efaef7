/* The last events of elements, numbered, for those who ask what came since a number. Not for more
 * than one thread at a time: who owns a log has a lock for it. */
#ifndef PERIGEE_PLATFORM_ELEMENT_LOG_H
#define PERIGEE_PLATFORM_ELEMENT_LOG_H

#include "platform/element.h"

enum { ELEMENT_LOG_KEPT = 4096 }; /* events; older ones are missed by who asks late */

struct element_log {
    struct element_event kept[ELEMENT_LOG_KEPT]; /* kept[number % ELEMENT_LOG_KEPT] */
    uint64_t last;                               /* number of the newest; 0: none has come yet */
};

/* Takes a copy, and gives it its number. */
void element_log_add(struct element_log *log, const struct element_event *event);
/* The number that the next event will have. */
uint64_t element_log_next(const struct element_log *log);
/* Adds to `out` those from `since` on, of this process or (0) of all, and says how many were missed
 * and what to ask with next time. The caller frees it with element_events_free(). */
void element_log_copy(const struct element_log *log, int pid, uint64_t since,
                      struct element_events *out);

#endif
