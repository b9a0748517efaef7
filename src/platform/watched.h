/* The windows and applications that a watcher knows, and what is told when they are looked at
 * again. For backends: one that is told of each change asks what there is and hands it over. */
#ifndef PERIGEE_PLATFORM_WATCHED_H
#define PERIGEE_PLATFORM_WATCHED_H

#include "platform/watch.h"

/* Zeroed memory knows nothing. */
struct watched {
    unsigned kinds;                /* that are told; the others are known all the same */
    struct window_list known;      /* in no order */
    struct app_list apps;          /* that had a window since they are known */
    uint64_t focused;              /* a window's id; 0: none */
    int active;                    /* a process; 0: none */
    const struct watch_told *told; /* NULL: nothing is told now */
};

void watched_free(struct watched *watched);

/* All windows as they are now, which are taken and emptied: tells those that are gone, in the order
 * in which they are known, then those that are new, from the back of the list to its front.
 * describe() makes the application of a window; the caller keeps nothing of it. */
void watched_take(struct watched *watched, struct window_list *now,
                  void (*describe)(void *arg, const struct window_info *window,
                                   struct app_info *out),
                  void *arg);

/* One window as it is now, which is taken. One that is not known is dropped. */
void watched_look(struct watched *watched, struct window_info *now);

/* The window with the keyboard, by its id; 0, or one that is not known: none. */
void watched_focus(struct watched *watched, uint64_t id);

/* The process has ended. */
void watched_end(struct watched *watched, int pid);

/* Reports an event without details. */
void watched_tell(const struct watched *watched, enum watch_what what);

bool watched_has_window_of(const struct watched *watched, int pid);
struct window_info *watched_find(const struct watched *watched, uint64_t id); /* NULL: not known */

#endif
