/* One that waits to be told once: that a queue has room again, that a reload is over. */
#ifndef PERIGEE_BASE_WAKEUP_H
#define PERIGEE_BASE_WAKEUP_H

#include "base/list.h"

struct wakeup {
    struct link link; /* in the list of those that wait; list_remove() ends the wait */
    void (*wake)(struct wakeup *wakeup);
};

/* Tells all that wait now. They are taken off before, and may wait again at once. */
static inline void wakeups_tell(struct link *waiting)
{
    struct link now, *link;

    list_init(&now);
    while ((link = list_pop(waiting)))
        list_push(&now, link);
    while ((link = list_pop(&now))) {
        struct wakeup *wakeup = container_of(link, struct wakeup, link);

        wakeup->wake(wakeup);
    }
}

#endif
