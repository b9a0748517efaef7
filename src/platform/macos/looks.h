/* What a watcher knows, what there is to look at, and looking. For the watcher's thread.
 *
 * Looks are kept in the order in which they were noted. One at an application waits for its answer,
 * but not for long: one that hangs does not hold up the others. */
#ifndef PERIGEE_PLATFORM_MACOS_LOOKS_H
#define PERIGEE_PLATFORM_MACOS_LOOKS_H

#include "platform/macos/ax/observed.h"
#include "platform/macos/herald.h"
#include "platform/watched.h"

enum look_at { LOOK_APP, LOOK_WINDOWS, LOOK_END, LOOK_EVENT };

struct look {
    enum look_at at;
    int pid;                  /* LOOK_APP, LOOK_END */
    uint64_t number, due;     /* LOOK_APP: observing_answered(); not waited for any longer */
    struct watch_event event; /* LOOK_EVENT: told as it is */
};

/* Processes, at most 4096, in the order in which they came. */
struct pids {
    int *items;
    size_t count;
};

struct macos_watch {
    struct watched watched;
    struct herald *herald;
    struct observing *observing; /* NULL: windows are not wanted */
    struct look *looks;
    size_t count, room;
    struct pids apps, hidden; /* applications that run; those of them that are hidden */
    struct pids ended;        /* the last ones that do not run any more */
    int active;               /* the application in front; 0: none */
    int asked;                /* whose answer, or silence, is what a look is for; 0: none's */
    bool blind;               /* without the permission, when that was looked at last */
    unsigned wanted;          /* number of what is wanted; */
    unsigned begun;           /* and of what the herald has begun with */
    bool fresh;               /* an application has answered since all windows were looked at */
    bool lost, woken;         /* the herald has ended; the caller wants the thread */
    uint64_t soon, late;      /* when to look at all windows again; 0: not */
};

void pids_set(struct pids *pids, int pid, bool has);

/* --- noting ------------------------------------------------------------------------------- */

void looks_note(struct macos_watch *watch, struct look look);
void looks_event(struct macos_watch *watch, enum watch_what what, unsigned hotkey);
/* The application is asked for its windows, if they are wanted; one of them, all that run. */
void looks_app(struct macos_watch *watch, int pid);
void looks_apps(struct macos_watch *watch);
/* The window server may be behind what was told. */
void looks_again_later(struct macos_watch *watch);

/* --- looking -------------------------------------------------------------------------------- */

/* Up to the first one that has to be waited for; false: the window server does not answer. */
bool looks_all(struct macos_watch *watch, struct error *err);
/* At all windows, now, as the window server lists them and their applications said last. */
bool looks_windows(struct macos_watch *watch, struct error *err);

#endif
