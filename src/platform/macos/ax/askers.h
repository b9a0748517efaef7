/* Threads that ask applications, for a thread that must not wait: a few, started by the first
 * question, each busy with one application at a time, so that an application that hangs holds up
 * only itself. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_ASKERS_H
#define PERIGEE_PLATFORM_MACOS_AX_ASKERS_H

#include "base/list.h"

struct askers;

/* A member of the struct that is asked. */
struct inquiry {
    struct link link;
    void (*ask)(struct inquiry *inquiry); /* on one of the threads */
    void (*free)(struct inquiry *inquiry);
};

/* woken(arg) is called on one of the threads, with a lock held: it may only wake another thread,
 * for which askers_take() has an answer. */
struct askers *askers_new(void (*woken)(void *arg), void *arg);

/* Takes the inquiry. The caller must ask an application only once at a time. */
void askers_put(struct askers *askers, struct inquiry *inquiry);

/* An inquiry that was asked, for the caller to free; NULL: none now. */
struct inquiry *askers_take(struct askers *askers);

/* Does not wait: inquiries that are still being asked are freed on their threads. woken() is not
 * called any more. NULL is fine. */
void askers_free(struct askers *askers);

/* Waits until no thread asks any more: for the end of the process, where references are counted. */
void askers_await(void);

#endif
