/* One call later. */
#ifndef PERIGEE_BASE_TIMER_H
#define PERIGEE_BASE_TIMER_H

#include <uv.h>

struct timer;

/* Calls fn(arg) once, from the loop, when `ms` milliseconds have passed, never earlier; 0: in the
 * loop's next turn. The loop owns the timer; the pointer is valid until fn is called or
 * timer_forget(). */
struct timer *timer_after(uv_loop_t *loop, uint64_t ms, void (*fn)(void *arg), void *arg);

/* fn will not be called. NULL is fine. */
void timer_forget(struct timer *timer);

#endif
