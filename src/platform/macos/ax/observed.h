/* The windows of applications, as they report them: an AXObserver for each application, and its
 * answer when it is asked for its windows.
 *
 * All functions are for one thread, on whose run loop the observers call. It never waits for an
 * application: other threads ask (askers.h). */
#ifndef PERIGEE_PLATFORM_MACOS_AX_OBSERVED_H
#define PERIGEE_PLATFORM_MACOS_AX_OBSERVED_H

#include "platform/macos/system/ax_windows.h"

struct observing;

/* Called while the run loop of the thread runs. */
struct observed_hooks {
    /* A window of this application changed. asks: only the application knows the change; otherwise
     * the window server knows it. */
    void (*happened)(void *arg, int pid, bool asks);
    /* An application has answered, or will not: observing_next() has the result. */
    void (*answered)(void *arg);
    void *arg;
};

/* NULL: the thread gets no run loop. */
struct observing *observing_new(const struct observed_hooks *hooks);
void observing_free(struct observing *observing); /* NULL is fine */

/* Asks the application for its windows, and listens to it from the first time on. Returns a number
 * for observing_answered(). */
uint64_t observing_ask(struct observing *observing, int pid);
bool observing_answered(const struct observing *observing, int pid, uint64_t number);

/* Returns the process of the next application that answered; 0: none. *first: no windows of it were
 * known before. */
int observing_next(struct observing *observing, bool *first);
/* Makes that answer the one that observing_windows() returns from now on. */
void observing_take(struct observing *observing);

/* The windows that the application reported last; borrowed. NULL: it has not answered yet. */
const struct ax_windows *observing_windows(const struct observing *observing, int pid);

/* Stops listening to the application, which has ended or is not wanted any more. */
void observing_end(struct observing *observing, int pid);

/* When observing_retry() is due (deadline_now()); 0: never. Applications that do not talk to
 * clients yet are asked again a few times, less and less often. */
uint64_t observing_due(const struct observing *observing);
void observing_retry(struct observing *observing);

#endif
