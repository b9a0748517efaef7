/* Connections whose first head is not in.
 *
 * What has arrived is looked at, not taken, so that libmicrohttpd finds all of it. A socket with
 * bytes that stay in it is always ready; SO_RCVLOWAT makes it wait for one more. Where that means
 * nothing (Linux's Unix sockets) it is looked at again after a pause. */
#include "http/server/microhttpd/arrival.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "http/request_head.h"
#include "http/server/microhttpd/connection.h"
#include "http/server/microhttpd/exchange.h"
#include "http/server/microhttpd/poller.h"
#include "process/peer.h"

enum {
    ACCEPTED_AT_ONCE = 64,
    PAUSE_MS = 20,
    DISCARD_MAX = 1024 * 1024, /* read behind a refused head, so that the answer survives */
};

struct arrivals {
    struct httpd *httpd;
    uv_poll_t listening;
    uv_timer_t pause;
    struct link waiting; /* longest first */
    struct request_limits limits;
    size_t handed; /* to libmicrohttpd, which may only begin with them when it runs */
    unsigned handles;
    bool stopped;
    bool no_files; /* accept() said so; the next tick tries again */
    char head[];   /* limits.bytes + 1 bytes, for all in turn */
};

struct arrival {
    struct link link;
    struct arrivals *arrivals;
    uv_poll_t poll; /* once it is `polled` */
    int fd;
    uint64_t since;
    size_t seen;      /* bytes, the last time */
    size_t discarded; /* after it was refused */
    bool polled, paused, refused;
};

/* --- its end ------------------------------------------------------------------------------- */

static void on_poll_closed(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct arrival, poll));
}

/* Forgets it; the socket stays open. */
static void arrival_forget(struct arrival *arrival)
{
    list_remove(&arrival->link);
    arrival->arrivals->httpd->counts.connections--;
    if (arrival->polled)
        uv_close((uv_handle_t *)&arrival->poll, on_poll_closed);
    else
        free(arrival);
}

static void arrival_end(struct arrival *arrival)
{
    int fd = arrival->fd;

    arrival_forget(arrival);
    close(fd);
}

static void arrival_drop(struct arrival *arrival, const char *why)
{
    log_debug("http: dropped a client: %s", why);
    arrival->arrivals->httpd->counts.dropped++;
    arrival_end(arrival);
}

static void wake_after(struct arrival *arrival, size_t bytes)
{
    int low = (int)bytes + 1;

    arrival->seen = bytes;
    setsockopt(arrival->fd, SOL_SOCKET, SO_RCVLOWAT, &low, sizeof low);
}

static void hand_arrival_over(struct arrival *arrival)
{
    struct arrivals *arrivals = arrival->arrivals;
    struct httpd *httpd = arrivals->httpd;
    struct sockaddr_storage address = { 0 };
    socklen_t len = sizeof address;
    int fd = arrival->fd;

    if (arrival->seen)
        wake_after(arrival, 0);
    getpeername(fd, (struct sockaddr *)&address, &len);
    arrival_forget(arrival);
    arrivals->handed++;
    MHD_add_connection(httpd->mhd, fd, (struct sockaddr *)&address, len); /* takes it in any case */
    poller_soon(httpd->poller);
}

/* --- its head ------------------------------------------------------------------------------ */

static void on_arrival_event(uv_poll_t *poll, int status, int events);
static void update_listening(struct arrivals *arrivals);

static bool arrival_resume(struct arrival *arrival)
{
    if (!arrival->polled &&
        uv_poll_init(arrival->arrivals->httpd->loop, &arrival->poll, arrival->fd) != 0)
        return false;
    arrival->polled = true;
    arrival->paused = false;
    return uv_poll_start(&arrival->poll, UV_READABLE | UV_DISCONNECT, on_arrival_event) == 0;
}

static void on_arrivals_pause_over(uv_timer_t *timer)
{
    struct arrivals *arrivals = timer->data;

    list_each (item, &arrivals->waiting) {
        struct arrival *arrival = container_of(item, struct arrival, link);

        if (arrival->paused && !arrival_resume(arrival))
            arrival_end(arrival);
    }
}

static void wait_for_more_head(struct arrival *arrival, size_t have)
{
    if (arrival->polled && have == arrival->seen) {
        arrival->paused = true;
        uv_poll_stop(&arrival->poll);
        if (!uv_is_active((uv_handle_t *)&arrival->arrivals->pause))
            uv_timer_start(&arrival->arrivals->pause, on_arrivals_pause_over, PAUSE_MS, 0);
        return;
    }
    if (have)
        wake_after(arrival, have);
    if (!arrival->polled && !arrival_resume(arrival))
        arrival_end(arrival);
}

/* Closing a socket with unread bytes would reset it, and the answer be lost: so what else comes is
 * read and forgotten until the client ends it too. */
static void discard_input(struct arrival *arrival)
{
    struct arrivals *arrivals = arrival->arrivals;
    ssize_t n = recv(arrival->fd, arrivals->head, arrivals->limits.bytes, MSG_DONTWAIT);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    arrival->discarded += n > 0 ? (size_t)n : 0;
    if (n <= 0 || arrival->discarded > DISCARD_MAX)
        arrival_end(arrival);
}

static void arrival_refuse(struct arrival *arrival, const struct request_fault *fault)
{
    exchange_refuse(arrival->arrivals->httpd, fault, arrival->fd);
    shutdown(arrival->fd, SHUT_WR);
    arrival->refused = true;
    wake_after(arrival, 0);
    if (!arrival_resume(arrival))
        arrival_end(arrival);
}

static void arrival_look(struct arrival *arrival, bool left)
{
    struct arrivals *arrivals = arrival->arrivals;
    struct request_fault fault = { 0 };
    ssize_t n =
        recv(arrival->fd, arrivals->head, arrivals->limits.bytes + 1, MSG_PEEK | MSG_DONTWAIT);

    if (n < 0 && (errno == EAGAIN || errno == EINTR) && !left) {
        wait_for_more_head(arrival, 0);
        return;
    }
    if (n <= 0) {
        arrival_end(arrival);
        return;
    }
    switch (
        request_head_judge((struct str){ arrivals->head, (size_t)n }, &arrivals->limits, &fault)) {
    case REQUEST_HEAD_WHOLE:
        hand_arrival_over(arrival);
        break;
    case REQUEST_HEAD_WRONG:
        arrival_refuse(arrival, &fault);
        break;
    case REQUEST_HEAD_PART:
        if (left)
            arrival_end(arrival);
        else
            wait_for_more_head(arrival, (size_t)n);
    }
}

static void on_arrival_event(uv_poll_t *poll, int status, int events)
{
    struct arrival *arrival = container_of(poll, struct arrival, poll);
    struct arrivals *arrivals = arrival->arrivals;

    if (arrival->refused)
        discard_input(arrival);
    else
        arrival_look(arrival, status != 0 || (events & UV_DISCONNECT));
    update_listening(arrivals);
}

/* --- coming -------------------------------------------------------------------------------- */

/* Beyond the limit, who has waited longest without asking anything goes. False: they all ask. */
static bool make_arrival_room(struct arrivals *arrivals)
{
    struct httpd *httpd = arrivals->httpd;
    struct arrival *first = container_of(arrivals->waiting.next, struct arrival, link);
    bool none = list_empty(&arrivals->waiting);

    if (httpd->counts.connections < httpd->options.connections ||
        connection_make_room(httpd, none ? UINT64_MAX : first->since))
        return true;
    if (!none)
        arrival_drop(first, "room is needed for others");
    return !none;
}

static int accept_socket(int listener)
{
#ifdef SOCK_NONBLOCK
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    int fd = accept(listener, NULL, NULL);

    if (fd >= 0 && (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0)) {
        close(fd);
        errno = ECONNABORTED;
        return -1;
    }
    return fd;
#endif
}

static void take_arrival(struct arrivals *arrivals, int fd)
{
    struct httpd *httpd = arrivals->httpd;
    struct arrival *arrival;

    httpd->counts.accepted++;
    if (httpd->options.own_peers && !peer_is_ours(fd)) {
        log_warn("http: refused a connection from another user");
        httpd->counts.refused++;
        close(fd);
        return;
    }
    if (!make_arrival_room(arrivals)) {
        log_debug("http: dropped a client: all others are being served");
        httpd->counts.dropped++;
        close(fd);
        return;
    }
    arrival = mem_zero(sizeof *arrival);
    arrival->arrivals = arrivals;
    arrival->fd = fd;
    arrival->since = uv_now(httpd->loop);
    list_push(&arrivals->waiting, &arrival->link);
    httpd->counts.connections++;
    if (httpd->options.certificate)
        hand_arrival_over(arrival);
    else
        arrival_look(arrival, false);
}

/* While libmicrohttpd has not begun with all connections that it was handed, it is not known which
 * may go. */
static bool has_arrival_room(const struct arrivals *arrivals)
{
    const struct httpd *httpd = arrivals->httpd;
    size_t spare = arrivals->handed ? 0 : SPARE_CONNECTIONS;

    return httpd->counts.connections + arrivals->handed < httpd->options.connections + spare;
}

static void on_connections_waiting(uv_poll_t *poll, int status, int events)
{
    struct arrivals *arrivals = poll->data;

    (void)status;
    (void)events;
    for (int i = 0; i < ACCEPTED_AT_ONCE && has_arrival_room(arrivals); i++) {
        int fd = accept_socket(arrivals->httpd->options.fd);

        if (fd >= 0) {
            take_arrival(arrivals, fd);
        } else if (errno != EINTR && errno != ECONNABORTED) {
            arrivals->no_files = errno != EAGAIN;
            break;
        }
    }
    update_listening(arrivals);
}

/* Only where something changes: each uv_poll_start() takes the descriptor out of the kernel's set
 * and puts it back. */
static void update_listening(struct arrivals *arrivals)
{
    bool take = has_arrival_room(arrivals) && !arrivals->no_files;

    if (arrivals->stopped || take == (uv_is_active((uv_handle_t *)&arrivals->listening) != 0))
        return;
    if (take)
        uv_poll_start(&arrivals->listening, UV_READABLE, on_connections_waiting);
    else
        uv_poll_stop(&arrivals->listening);
}

void arrivals_settle(struct arrivals *arrivals)
{
    arrivals->handed = 0;
    update_listening(arrivals);
}

/* --- life ---------------------------------------------------------------------------------- */

struct arrivals *arrivals_new(struct httpd *httpd, size_t head_memory)
{
    struct arrivals *arrivals = mem_zero(sizeof *arrivals + httpd->options.header_bytes + 1);

    if (uv_poll_init(httpd->loop, &arrivals->listening, httpd->options.fd) != 0) {
        free(arrivals);
        return NULL;
    }
    arrivals->httpd = httpd;
    arrivals->limits = (struct request_limits){ httpd->options.header_bytes, head_memory };
    list_init(&arrivals->waiting);
    uv_timer_init(httpd->loop, &arrivals->pause);
    arrivals->listening.data = arrivals->pause.data = arrivals;
    arrivals->handles = 2;
    return arrivals;
}

void arrivals_tick(struct arrivals *arrivals, uint64_t now)
{
    uint64_t patience = (uint64_t)arrivals->httpd->options.head_seconds * 1000;

    list_each (item, &arrivals->waiting) {
        struct arrival *arrival = container_of(item, struct arrival, link);

        if (now - arrival->since < patience)
            break; /* the others came later */
        arrival_drop(arrival, "no request came");
    }
    arrivals->no_files = false;
    update_listening(arrivals);
}

static void on_arrivals_closed(uv_handle_t *handle)
{
    struct arrivals *arrivals = handle->data;

    if (--arrivals->handles == 0)
        free(arrivals);
}

void arrivals_stop(struct arrivals *arrivals)
{
    if (arrivals->stopped)
        return;
    arrivals->stopped = true;
    uv_close((uv_handle_t *)&arrivals->listening, on_arrivals_closed);
}

void arrivals_free(struct arrivals *arrivals)
{
    arrivals_stop(arrivals);
    list_each (item, &arrivals->waiting)
        arrival_end(container_of(item, struct arrival, link));
    uv_close((uv_handle_t *)&arrivals->pause, on_arrivals_closed);
}
