/* Has a client left, of whose connection libmicrohttpd was told to look away?
 *
 * A suspended connection is in no set of libmicrohttpd's: an answer that takes long, or a stream
 * with nothing to say, would not notice its end. So its socket is polled here meanwhile. What
 * arrives is looked at, not taken: nothing means that the client is gone (or has closed its
 * half, which is the same to a server that would only answer into the void), and something is
 * the next request, after which only the end is waited for. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "http/server/microhttpd/daemon.h"

struct watch {
    uv_poll_t poll;
    struct client *client;
};

static void on_event(uv_poll_t *poll, int status, int events)
{
    struct client *client = container_of(poll, struct watch, poll)->client;
    char byte;
    ssize_t n = 0;

    if (status == 0 && !(events & UV_DISCONNECT))
        n = recv(client->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n > 0) {
        uv_poll_start(poll, UV_DISCONNECT, on_event);
        return;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (client->exchange)
        exchange_abort(client->exchange);
    else
        uv_poll_stop(poll);
}

void watch_start(struct client *client)
{
    struct watch *watch = client->watch;

    if (!watch) {
        watch = mem_zero(sizeof *watch);
        if (uv_poll_init(client->httpd->loop, &watch->poll, client->fd) != 0) {
            free(watch);
            return; /* its end is noticed when something is sent */
        }
        watch->client = client;
        client->watch = watch;
    }
    uv_poll_start(&watch->poll, UV_READABLE | UV_DISCONNECT, on_event);
}

void watch_stop(struct client *client)
{
    if (client->watch)
        uv_poll_stop(&client->watch->poll);
}

static void on_closed(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct watch, poll));
}

void watch_free(struct client *client)
{
    if (client->watch)
        uv_close((uv_handle_t *)&client->watch->poll, on_closed);
    client->watch = NULL;
}
