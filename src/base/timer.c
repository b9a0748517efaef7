/* A uv_timer_t that frees itself: a handle must outlive uv_close(), so whoever
 * waits should not have to carry it. */
#include "base/timer.h"

#include <stdlib.h>

#include "base/util.h"

struct timer {
    uv_timer_t handle;
    void (*fn)(void *arg);
    void *arg;
};

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void on_time(uv_timer_t *handle)
{
    struct timer *timer = handle->data;
    void (*fn)(void *arg) = timer->fn;
    void *arg = timer->arg;

    uv_close((uv_handle_t *)handle, on_closed);
    fn(arg);
}

struct timer *timer_after(uv_loop_t *loop, uint64_t ms, void (*fn)(void *arg), void *arg)
{
    struct timer *timer = mem_alloc(sizeof *timer);

    timer->fn = fn;
    timer->arg = arg;
    uv_timer_init(loop, &timer->handle);
    timer->handle.data = timer;
    uv_update_time(loop); /* the loop's clock stood still while Lua computed */
    /* The loop's clock counts whole milliseconds that have passed: without one more, a start late
     * in a millisecond would be called up to one too early. */
    uv_timer_start(&timer->handle, on_time, ms ? ms + 1 : 0, 0);
    return timer;
}

void timer_forget(struct timer *timer)
{
    if (timer)
        uv_close((uv_handle_t *)&timer->handle, on_closed);
}
