/* libmicrohttpd's descriptors on a libuv loop, without a thread.
 *
 * With epoll there is one to watch: its own set, which can be polled like a socket. Elsewhere it
 * tells by fd_sets what it waits for (and cannot have more than FD_SETSIZE); each becomes a poll
 * handle. Either way it also says when it wants to be called next. */
#include "http/server/microhttpd/poller.h"

#include <stdlib.h>
#include <sys/select.h>

#if defined(__linux__) && !defined(HTTPD_SELECT)
#define USE_EPOLL 1
#else
#define USE_EPOLL 0
#endif

enum { VAIN_RUNS = 16, VAIN_PAUSE_MS = 10 };

struct polled {
    uv_poll_t poll;
    int fd, events;
    bool open;
};

struct poller {
    struct httpd *httpd;
    void (*run)(struct httpd *httpd);
    uv_timer_t timer; /* the one libmicrohttpd asks for */
    uv_idle_t soon;
    int handles;
    unsigned vain; /* runs in a row in which nothing happened, and it asked for the next at once */
    struct polled *epoll;
    struct polled *polled[FD_SETSIZE];
};

bool poller_epoll(void)
{
    return USE_EPOLL;
}

static void run_daemon(struct poller *poller)
{
    poller->run(poller->httpd);
}

static void on_poller_ready(uv_poll_t *poll, int status, int events)
{
    (void)status; /* reading and writing tell what is wrong */
    (void)events;
    run_daemon(poll->data);
}

static void on_poller_timer(uv_timer_t *timer)
{
    run_daemon(timer->data);
}

/* Exchanges that were resumed wait for the next run, and nothing on a descriptor announces it. */
static void on_soon(uv_idle_t *idle)
{
    uv_idle_stop(idle);
    run_daemon(idle->data);
}

void poller_soon(struct poller *poller)
{
    uv_idle_start(&poller->soon, on_soon);
}

static void on_polled_closed(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct polled, poll));
}

static struct polled *polled_new(struct poller *poller, int fd)
{
    struct polled *one = mem_zero(sizeof *one);

    one->fd = fd;
    if (uv_poll_init(poller->httpd->loop, &one->poll, fd) != 0) {
        free(one);
        return NULL;
    }
    one->poll.data = poller;
    return one;
}

static void polled_close(struct polled *one)
{
    if (one)
        uv_close((uv_handle_t *)&one->poll, on_polled_closed);
}

static void poll_for_events(struct polled *one, int events)
{
    if (one->events == events)
        return;
    one->events = events;
    if (events)
        uv_poll_start(&one->poll, events, on_poller_ready);
    else
        uv_poll_stop(&one->poll);
}

/* Makes the poll handles agree with the sets. */
static void settle_sets(struct poller *poller)
{
    fd_set in, out, other;
    int max = -1;

    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&other);
    MHD_get_fdset(poller->httpd->mhd, &in, &out, &other, &max);
    for (int fd = 0; fd < FD_SETSIZE; fd++) {
        int events = 0;

        if (fd <= max)
            events = (FD_ISSET(fd, &in) ? UV_READABLE : 0) | (FD_ISSET(fd, &out) ? UV_WRITABLE : 0);
        if (events && !poller->polled[fd])
            poller->polled[fd] = polled_new(poller, fd);
        if (poller->polled[fd])
            poll_for_events(poller->polled[fd], events);
    }
}

/* Before 1.0 it asks to be called at once for as long as the line before a chunk, or one behind the
 * last, fills its buffer and has no end: it may, but not all the time. */
static uint64_t pause_for(struct poller *poller, uint64_t ms)
{
    poller->vain = ms == 0 && !poller->httpd->progress ? poller->vain + 1 : 0;
    poller->httpd->progress = false;
    return poller->vain > VAIN_RUNS ? VAIN_PAUSE_MS : ms;
}

void poller_settle(struct poller *poller)
{
    MHD_UNSIGNED_LONG_LONG ms;

    if (!USE_EPOLL)
        settle_sets(poller);
    if (MHD_get_timeout(poller->httpd->mhd, &ms) == MHD_YES)
        uv_timer_start(&poller->timer, on_poller_timer, pause_for(poller, ms), 0);
    else
        uv_timer_stop(&poller->timer);
}

void poller_forget(struct poller *poller, int fd)
{
    if (USE_EPOLL || fd < 0 || fd >= FD_SETSIZE)
        return;
    polled_close(poller->polled[fd]);
    poller->polled[fd] = NULL;
}

struct poller *poller_new(struct httpd *httpd, void (*run)(struct httpd *httpd))
{
    struct poller *poller = mem_zero(sizeof *poller);

    poller->httpd = httpd;
    poller->run = run;
    uv_timer_init(httpd->loop, &poller->timer);
    uv_idle_init(httpd->loop, &poller->soon);
    poller->timer.data = poller->soon.data = poller;
    if (USE_EPOLL) {
        const union MHD_DaemonInfo *info =
            MHD_get_daemon_info(httpd->mhd, MHD_DAEMON_INFO_EPOLL_FD);

        poller->epoll = polled_new(poller, info->epoll_fd);
        if (poller->epoll)
            poll_for_events(poller->epoll, UV_READABLE);
    }
    return poller;
}

static void on_poller_closed(uv_handle_t *handle)
{
    struct poller *poller = handle->data;

    if (--poller->handles == 0)
        free(poller);
}

void poller_free(struct poller *poller)
{
    polled_close(poller->epoll);
    for (int fd = 0; fd < FD_SETSIZE; fd++)
        polled_close(poller->polled[fd]);
    poller->handles = 2;
    uv_close((uv_handle_t *)&poller->timer, on_poller_closed);
    uv_close((uv_handle_t *)&poller->soon, on_poller_closed);
}
