/* libmicrohttpd's descriptors on a libuv loop, without a thread.
 *
 * With epoll there is one to watch: its own set, which can be polled like a socket. Elsewhere it
 * tells by fd_sets what it waits for (and cannot have more than FD_SETSIZE); each becomes a poll
 * handle. Either way it also says when it wants to be called next. */
#include <stdlib.h>
#include <sys/select.h>

#include "http/server/microhttpd/daemon.h"

#if defined(__linux__) && !defined(HTTPD_SELECT)
#define USE_EPOLL 1
#else
#define USE_EPOLL 0
#endif

struct polled {
    uv_poll_t poll;
    int fd, events;
    bool open;
};

struct waiter {
    struct httpd *httpd;
    uv_timer_t timer; /* the one libmicrohttpd asks for */
    uv_idle_t soon;
    int handles;
    struct polled *epoll;
    struct polled *polled[FD_SETSIZE];
};

bool waiter_epoll(void)
{
    return USE_EPOLL;
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    (void)status; /* reading and writing tell what is wrong */
    (void)events;
    httpd_run(poll->data);
}

static void on_timer(uv_timer_t *timer)
{
    httpd_run(timer->data);
}

/* What was resumed waits for the next run, and nothing on a descriptor announces it. */
static void on_soon(uv_idle_t *idle)
{
    uv_idle_stop(idle);
    httpd_run(idle->data);
}

void waiter_soon(struct waiter *waiter)
{
    uv_idle_start(&waiter->soon, on_soon);
}

static void on_polled_closed(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct polled, poll));
}

static struct polled *polled_new(struct waiter *waiter, int fd)
{
    struct polled *one = mem_zero(sizeof *one);

    one->fd = fd;
    if (uv_poll_init(waiter->httpd->loop, &one->poll, fd) != 0) {
        free(one);
        return NULL;
    }
    one->poll.data = waiter->httpd;
    return one;
}

static void polled_close(struct polled *one)
{
    if (one)
        uv_close((uv_handle_t *)&one->poll, on_polled_closed);
}

static void polled_for(struct polled *one, int events)
{
    if (one->events == events)
        return;
    one->events = events;
    if (events)
        uv_poll_start(&one->poll, events, on_ready);
    else
        uv_poll_stop(&one->poll);
}

/* Makes the poll handles agree with the sets. */
static void settle_sets(struct waiter *waiter)
{
    fd_set in, out, other;
    int max = -1;

    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&other);
    MHD_get_fdset(waiter->httpd->mhd, &in, &out, &other, &max);
    for (int fd = 0; fd < FD_SETSIZE; fd++) {
        int events = 0;

        if (fd <= max)
            events = (FD_ISSET(fd, &in) ? UV_READABLE : 0) | (FD_ISSET(fd, &out) ? UV_WRITABLE : 0);
        if (events && !waiter->polled[fd])
            waiter->polled[fd] = polled_new(waiter, fd);
        if (waiter->polled[fd])
            polled_for(waiter->polled[fd], events);
    }
}

void waiter_settle(struct waiter *waiter)
{
    MHD_UNSIGNED_LONG_LONG ms;

    if (!USE_EPOLL)
        settle_sets(waiter);
    if (MHD_get_timeout(waiter->httpd->mhd, &ms) == MHD_YES)
        uv_timer_start(&waiter->timer, on_timer, ms, 0);
    else
        uv_timer_stop(&waiter->timer);
}

void waiter_forget(struct waiter *waiter, int fd)
{
    if (USE_EPOLL || fd < 0 || fd >= FD_SETSIZE)
        return;
    polled_close(waiter->polled[fd]);
    waiter->polled[fd] = NULL;
}

struct waiter *waiter_new(struct httpd *httpd)
{
    struct waiter *waiter = mem_zero(sizeof *waiter);

    waiter->httpd = httpd;
    uv_timer_init(httpd->loop, &waiter->timer);
    uv_idle_init(httpd->loop, &waiter->soon);
    waiter->timer.data = waiter->soon.data = httpd;
    if (USE_EPOLL) {
        const union MHD_DaemonInfo *info =
            MHD_get_daemon_info(httpd->mhd, MHD_DAEMON_INFO_EPOLL_FD);

        waiter->epoll = polled_new(waiter, info->epoll_fd);
        if (waiter->epoll)
            polled_for(waiter->epoll, UV_READABLE);
    }
    return waiter;
}

static void on_closed(uv_handle_t *handle)
{
    struct waiter *waiter = handle->data;

    if (--waiter->handles == 0)
        free(waiter);
}

void waiter_free(struct waiter *waiter)
{
    polled_close(waiter->epoll);
    for (int fd = 0; fd < FD_SETSIZE; fd++)
        polled_close(waiter->polled[fd]);
    waiter->handles = 2;
    waiter->timer.data = waiter->soon.data = waiter;
    uv_close((uv_handle_t *)&waiter->timer, on_closed);
    uv_close((uv_handle_t *)&waiter->soon, on_closed);
}
