/* Notices that a client has left while libmicrohttpd does not watch its connection.
 *
 * A suspended connection is in no set of libmicrohttpd's: an answer that takes long, or a stream
 * with nothing to say, would not notice its end. So its socket is polled here meanwhile. What
 * arrives is looked at, not taken: nothing means that the client is gone (or has closed its half,
 * which is the same to a server that would only answer into the void), and something is the next
 * request, after which only the end is waited for. */
#include "http/server/microhttpd/hangup_watch.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

struct hangup_watch {
    uv_poll_t poll;
    struct connection *connection;
    void (*left)(struct exchange *exchange);
};

static void on_hangup_event(uv_poll_t *poll, int status, int events)
{
    struct hangup_watch *watch = container_of(poll, struct hangup_watch, poll);
    struct connection *connection = watch->connection;
    char byte;
    ssize_t n = 0;

    if (status == 0 && !(events & UV_DISCONNECT))
        n = recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n > 0) {
        uv_poll_start(poll, UV_DISCONNECT, on_hangup_event);
        return;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (connection->exchange)
        watch->left(connection->exchange);
    else
        uv_poll_stop(poll);
}

void hangup_watch_start(struct connection *connection, void (*left)(struct exchange *exchange))
{
    struct hangup_watch *watch = connection->watch;

    if (!watch) {
        watch = mem_zero(sizeof *watch);
        if (uv_poll_init(connection->httpd->loop, &watch->poll, connection->fd) != 0) {
            free(watch);
            return; /* its end is noticed when something is sent */
        }
        watch->connection = connection;
        watch->left = left;
        connection->watch = watch;
    }
    uv_poll_start(&watch->poll, UV_READABLE | UV_DISCONNECT, on_hangup_event);
}

void hangup_watch_stop(struct connection *connection)
{
    if (connection->watch)
        uv_poll_stop(&connection->watch->poll);
}

static void on_hangup_watch_closed(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct hangup_watch, poll));
}

void hangup_watch_free(struct connection *connection)
{
    if (connection->watch)
        uv_close((uv_handle_t *)&connection->watch->poll, on_hangup_watch_closed);
    connection->watch = NULL;
}
