/* The looks at a desktop that are due, in the order in which they were noted. For watchers: an
 * event of the system rarely says all that has to be known, and one look is enough for many events
 * of the same kind. */
#ifndef PERIGEE_PLATFORM_LOOKS_H
#define PERIGEE_PLATFORM_LOOKS_H

#include "platform/watched.h"

/* Each watcher has those that its system needs. */
enum look_at {
    LOOK_WINDOWS,
    LOOK_WINDOW, /* one that is known */
    LOOK_FOCUS,
    LOOK_DISPLAYS,
    LOOK_APP,  /* an application that was asked */
    LOOK_END,  /* the end of a process */
    LOOK_EVENT /* an event that is reported as it is, without details */
};

struct look {
    enum look_at at;
    uint64_t window;      /* LOOK_WINDOW: its number */
    int pid;              /* LOOK_APP, LOOK_END */
    uint64_t number, due; /* LOOK_APP: the number of the question; the end of its wait */
    enum watch_what what; /* LOOK_EVENT */
    unsigned hotkey;      /* LOOK_EVENT: the number of a hotkey; otherwise 0 */
    uint64_t time;        /* LOOK_EVENT: uv_hrtime() when it was noted */
};

/* Zeroed memory is an empty queue. items[first] to items[count - 1] are due. */
struct looks {
    struct look *items; /* owned */
    size_t first, count, room;
};

/* Adds a look, unless the last one that is due is the same. */
void looks_add(struct looks *looks, struct look look);
void looks_add_event(struct looks *looks, enum watch_what what, unsigned hotkey);

/* Takes the first look off; there is one. */
struct look looks_take(struct looks *looks);

/* Reports the event of a LOOK_EVENT, if it is wanted. The hub knows the owner of a hotkey. */
void look_tell(const struct look *look, const struct watched *watched);

#endif
