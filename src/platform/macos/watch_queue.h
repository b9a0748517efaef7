/* A watcher's state, and the looks that are due. For the watcher's thread.
 *
 * Looks are kept in the order in which they were noted. A look at an application waits for its
 * answer, but not for long: an application that hangs does not hold up the others. */
#ifndef PERIGEE_PLATFORM_MACOS_WATCH_QUEUE_H
#define PERIGEE_PLATFORM_MACOS_WATCH_QUEUE_H

#include "platform/looks.h"
#include "platform/macos/ax/observed.h"
#include "platform/macos/event_process.h"

/* Processes, at most 4096, in the order in which they came. */
struct pids {
    int *items;
    size_t count;
};

struct macos_watch {
    struct watched watched;
    struct event_process *process;
    struct observing *observing; /* NULL: windows are not wanted */
    struct looks looks;
    struct pids apps, hidden; /* applications that run; those of them that are hidden */
    struct pids ended;        /* the last ones that have ended */
    int active;               /* the application in front; 0: none */
    int asked;                /* the application whose answer the present look is for; 0: none */
    bool blind;               /* the permission was missing when it was checked last */
    unsigned wanted;          /* number of the last request */
    unsigned begun;           /* number of the last request that the event process has begun with */
    bool fresh;               /* an application has answered since all windows were looked at */
    bool lost, woken;         /* the event process has ended; the caller wants the thread */
    uint64_t soon, late;      /* times of the next look at all windows; 0: none */
};

void pids_set(struct pids *pids, int pid, bool has);

/* --- noting ------------------------------------------------------------------------------- */

/* Asks the application for its windows, if they are wanted; watch_queue_apps() asks all that
 * run. */
void watch_queue_app(struct macos_watch *watch, int pid);
void watch_queue_apps(struct macos_watch *watch);
/* Looks again later, because the window server may be behind an event. */
void watch_queue_again_later(struct macos_watch *watch);

/* --- looking -------------------------------------------------------------------------------- */

/* Takes the looks up to the first one that has to wait; false: the window server does not
 * answer. */
bool watch_queue_run(struct macos_watch *watch, struct error *err);
/* Looks at all windows now, as the window server lists them and their applications reported them
 * last. */
bool watch_look_at_windows(struct macos_watch *watch, struct error *err);

#endif
