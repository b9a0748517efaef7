/* Threads that ask applications for a thread that must not wait: a few, from the first question on,
 * each with one application at a time, so that one that hangs holds up itself. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_ASKERS_H
#define PERIGEE_PLATFORM_MACOS_AX_ASKERS_H

#include "base/list.h"

struct askers;

/* A member of what is asked. */
struct inquiry {
    struct link link;
    void (*ask)(struct inquiry *inquiry); /* on one of the threads */
    void (*free)(struct inquiry *inquiry);
};

/* woken(arg) is called on one of the threads, with a lock held: it may only tell another thread
 * that askers_take() has something. */
struct askers *askers_new(void (*woken)(void *arg), void *arg);

/* Takes it. The caller sees to it that an application is asked once at a time. */
void askers_put(struct askers *askers, struct inquiry *inquiry);

/* One that was asked, for the caller to free; NULL: none now. */
struct inquiry *askers_take(struct askers *askers);

/* Does not wait: what is still being asked is freed where it is. woken() is not called any more.
 * NULL is fine. */
void askers_free(struct askers *askers);

/* Until no thread asks any more: for the end of the process, where references are counted. */
void askers_await(void);

#endif
