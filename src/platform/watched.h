/* The windows and applications that a watcher knows, and the events for their changes. For
 * backends: a backend that gets an event of the system reads the present state and passes it on. */
#ifndef PERIGEE_PLATFORM_WATCHED_H
#define PERIGEE_PLATFORM_WATCHED_H

#include "platform/watch.h"

/* Zeroed memory knows no windows. */
struct watched {
    unsigned kinds;                /* the kinds to report; the others are known all the same */
    struct window_list known;      /* frontmost first, when all were taken last */
    struct app_list apps;          /* applications that had a window since they are known */
    uint64_t focused;              /* a window's id; 0: none */
    int active;                    /* a process; 0: none */
    const struct watch_told *told; /* NULL: nothing is reported now */
};

void watched_free(struct watched *watched);

/* Takes all present windows, and empties the list: reports what windows_compare() finds, but for
 * the keyboard. describe() makes the application of a window; the caller keeps nothing of it. */
void watched_take(struct watched *watched, struct window_list *now,
                  void (*describe)(void *arg, const struct window_info *window,
                                   struct app_info *out),
                  void *arg);

/* Takes the present state of one window. One that is not known is dropped. */
void watched_look(struct watched *watched, struct window_info *now);

/* Reports the window with the keyboard, by its id; 0, or one that is not known: none. */
void watched_focus(struct watched *watched, uint64_t id);

/* Reports that the process has ended. */
void watched_end(struct watched *watched, int pid);

/* Reports an event without details. */
void watched_tell(const struct watched *watched, enum watch_what what);

/* True if the process has a window that was not reported as closed. */
bool watched_has_window_of(const struct watched *watched, int pid);
struct window_info *watched_find(const struct watched *watched, uint64_t id); /* NULL: not known */

#endif
