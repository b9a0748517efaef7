/* One call later. */
#ifndef PERIGEE_BASE_TIMER_H
#define PERIGEE_BASE_TIMER_H

#include <uv.h>

struct timer;

/* Calls fn(arg) once, from the loop, when `ms` milliseconds have passed, never earlier; 0: in the
 * loop's next turn. The loop owns the timer; the pointer is valid until fn is called or
 * timer_forget(). NULL: this process waits without a loop, and calls timers_run(). */
struct timer *timer_after(uv_loop_t *loop, uint64_t ms, void (*fn)(void *arg), void *arg);

/* fn will not be called. NULL is fine. */
void timer_forget(struct timer *timer);

/* Calls the timers without a loop that are due; one that is made meanwhile waits for the next
 * time. */
void timers_run(void);

/* Milliseconds until the first timer without a loop is due, rounded up, as poll(2) takes them; -1:
 * there is none. */
int timers_wait(void);

#endif
