/* The time for which keyboard and pointer have rested: the counter IDLETIME of the Synchronization
 * extension (x.org: "X Synchronization Extension Protocol"; sync.h of libXext). */
#ifndef PERIGEE_PLATFORM_X11_IDLE_H
#define PERIGEE_PLATFORM_X11_IDLE_H

#include "platform/x11/wire/x11.h"

/* Implements watch_ops.idle(). */
bool x11_idle(struct x11_desktop *desktop, uint64_t *ms, struct error *err);

struct idle_alarm {
    XID alarm; /* 0: there is none */
    int event; /* the extension's first */
};

/* Has the server report the end of a rest of more than `ms`; 0: no longer. "not_supported". */
bool idle_alarm_set(struct x11_desktop *desktop, struct idle_alarm *alarm, int ms,
                    struct error *err);
bool idle_alarm_is(const struct idle_alarm *alarm, const XEvent *event);

#endif
