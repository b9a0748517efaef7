/* The windows of applications, as they tell of them: an AXObserver for each, and what each says of
 * its windows when it is asked.
 *
 * All of it is for one thread, on whose run loop they tell. It never waits for an application:
 * other threads ask (askers.h). */
#ifndef PERIGEE_PLATFORM_MACOS_AX_OBSERVED_H
#define PERIGEE_PLATFORM_MACOS_AX_OBSERVED_H

#include "platform/macos/system/ax_windows.h"

struct observing;

/* Called while the run loop of the thread turns. */
struct observed_hooks {
    /* A window of this application changed. The window server knows where it is; asks: what else
     * there is to know only the application says. */
    void (*happened)(void *arg, int pid, bool asks);
    /* One that was asked has answered, or will not: observing_next() has it. */
    void (*answered)(void *arg);
    void *arg;
};

/* NULL: the thread gets no run loop. */
struct observing *observing_new(const struct observed_hooks *hooks);
void observing_free(struct observing *observing); /* NULL is fine */

/* Asks the application for its windows, and from the first time on listens to it. The number is for
 * observing_answered(). */
uint64_t observing_ask(struct observing *observing, int pid);
bool observing_answered(const struct observing *observing, int pid, uint64_t number);

/* The next answer: the application's process; 0: none. *first: of its windows nothing was known
 * before. */
int observing_next(struct observing *observing, bool *first);
/* The answer is what observing_windows() gives from now on. */
void observing_take(struct observing *observing);

/* As the application told last; borrowed. NULL: it has not answered yet. */
const struct ax_windows *observing_windows(const struct observing *observing, int pid);

/* It has ended, or is not to be listened to any more. */
void observing_end(struct observing *observing, int pid);

/* When observing_retry() is due (deadline_now()); 0: never. Applications that do not talk to
 * clients yet are asked again some times, less and less often. */
uint64_t observing_due(const struct observing *observing);
void observing_retry(struct observing *observing);

#endif
