/* A uv_timer_t that frees itself: a handle must outlive uv_close(), so whoever waits should not
 * have to carry it.
 *
 * A process that may not make the system calls of libuv's loop keeps its timers in a list. */
#include "base/timer.h"

#include <limits.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/util.h"

enum { NS_PER_MS = 1000000 };

struct timer {
    uv_timer_t handle; /* in use when it has a loop */
    struct link link;  /* in `waiting` when it has none */
    uint64_t due;      /* the same; uv_hrtime() nanoseconds */
    void (*fn)(void *arg);
    void *arg;
};

/* The timers without a loop, the first due in front. */
static struct link waiting = { &waiting, &waiting };

/* --- with a loop ---------------------------------------------------------------- */

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void on_timer_due(uv_timer_t *handle)
{
    struct timer *timer = handle->data;
    void (*fn)(void *arg) = timer->fn;
    void *arg = timer->arg;

    uv_close((uv_handle_t *)handle, on_timer_closed);
    fn(arg);
}

static void start_on_loop(struct timer *timer, uv_loop_t *loop, uint64_t ms)
{
    uv_timer_init(loop, &timer->handle);
    timer->handle.data = timer;
    uv_update_time(loop); /* the loop's clock stood still while Lua computed */
    /* The loop's clock counts whole milliseconds that have passed: without one more, a start late
     * in a millisecond would be called up to one too early. */
    uv_timer_start(&timer->handle, on_timer_due, ms ? ms + 1 : 0, 0);
}

/* --- without one ---------------------------------------------------------------- */

static void start_waiting(struct timer *timer, uint64_t ms)
{
    struct link *before = waiting.prev;

    timer->due = uv_hrtime() + ms * NS_PER_MS;
    while (before != &waiting && container_of(before, struct timer, link)->due > timer->due)
        before = before->prev;
    list_push(before->next, &timer->link);
}

void timers_run(void)
{
    uint64_t now = uv_hrtime();

    while (!list_empty(&waiting)) {
        struct timer *timer = container_of(waiting.next, struct timer, link);
        void (*fn)(void *arg) = timer->fn;
        void *arg = timer->arg;

        if (timer->due > now)
            return;
        timer_forget(timer);
        fn(arg);
    }
}

int timers_wait(void)
{
    uint64_t now = uv_hrtime(), due, ms;

    if (list_empty(&waiting))
        return -1;
    due = container_of(waiting.next, struct timer, link)->due;
    ms = due > now ? (due - now + NS_PER_MS - 1) / NS_PER_MS : 0;
    return ms < INT_MAX ? (int)ms : INT_MAX;
}

/* --- either ----------------------------------------------------------------------- */

struct timer *timer_after(uv_loop_t *loop, uint64_t ms, void (*fn)(void *arg), void *arg)
{
    struct timer *timer = mem_alloc(sizeof *timer);

    timer->fn = fn;
    timer->arg = arg;
    timer->handle.loop = loop;
    if (loop)
        start_on_loop(timer, loop, ms);
    else
        start_waiting(timer, ms);
    return timer;
}

void timer_forget(struct timer *timer)
{
    if (timer && timer->handle.loop) {
        uv_close((uv_handle_t *)&timer->handle, on_timer_closed);
    } else if (timer) {
        list_remove(&timer->link);
        free(timer);
    }
}
