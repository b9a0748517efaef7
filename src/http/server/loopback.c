/* Connections hold the listener's memory: it goes with the last handle. */
#include "http/server/loopback.h"

#include <arpa/inet.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/timer.h"

enum {
    CONNECTIONS_MAX = 16,
    CONNECTION_MS = 10000, /* for its head, and again for its answer */
    BROWSER_BACKLOG = 16,
};

struct loopback {
    uv_tcp_t tcp;
    struct link connections;
    size_t count;
    size_t handles; /* open ones, its own included */
    unsigned port;
    void (*arrived)(void *arg); /* NULL: closed */
    void *arg;
};

struct browser_connection {
    uv_tcp_t tcp;
    struct link link;
    struct loopback *loopback;
    struct timer *timer;
    struct buf head, answer;
    struct browser_request request;
    uv_write_t write;
    uv_shutdown_t shutdown;
    bool waiting;  /* read, not answered yet */
    bool answered; /* its answer is on the way */
};

static void loopback_release(struct loopback *loopback)
{
    if (--loopback->handles == 0)
        free(loopback);
}

/* --- a connection's end ------------------------------------------------------------------ */

static void on_browser_connection_closed(uv_handle_t *handle)
{
    struct browser_connection *connection = handle->data;

    buf_free(&connection->head);
    buf_free(&connection->answer);
    loopback_release(connection->loopback);
    free(connection);
}

static void connection_close(struct browser_connection *connection)
{
    if (uv_is_closing((uv_handle_t *)&connection->tcp))
        return;
    timer_forget(connection->timer);
    connection->timer = NULL;
    connection->waiting = false;
    list_remove(&connection->link);
    connection->loopback->count--;
    uv_close((uv_handle_t *)&connection->tcp, on_browser_connection_closed);
}

static void on_browser_late(void *arg)
{
    struct browser_connection *connection = arg;

    connection->timer = NULL;
    connection_close(connection);
}

static void connection_limit(struct browser_connection *connection)
{
    timer_forget(connection->timer);
    connection->timer =
        timer_after(connection->tcp.loop, CONNECTION_MS, on_browser_late, connection);
}

/* --- answers ------------------------------------------------------------------------------ */

static void on_browser_shut(uv_shutdown_t *request, int status)
{
    (void)status;
    connection_close(request->data);
}

static void on_answer_written(uv_write_t *request, int status)
{
    struct browser_connection *connection = request->data;

    connection->shutdown.data = connection;
    if (status < 0 || uv_shutdown(&connection->shutdown, request->handle, on_browser_shut) < 0)
        connection_close(connection);
}

static const char *status_reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Bad Request";
    }
}

/* Nothing of it may be kept, framed, or send its address, which has a code in it, on. */
static void connection_answer(struct browser_connection *connection, int status, struct str html)
{
    uv_buf_t buf;

    connection->waiting = false;
    connection->answered = true;
    buf_addf(&connection->answer,
             "HTTP/1.1 %d %s\r\n"
             "Content-Type: text/html; charset=utf-8\r\n"
             "Content-Length: %zu\r\n"
             "Cache-Control: no-store\r\n"
             "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
             "frame-ancestors 'none'\r\n"
             "Referrer-Policy: no-referrer\r\n"
             "X-Content-Type-Options: nosniff\r\n"
             "Connection: close\r\n\r\n",
             status, status_reason(status), html.len);
    if (!str_same(connection->request.method, STR("HEAD")))
        buf_add(&connection->answer, html.ptr, html.len);
    connection_limit(connection);
    connection->write.data = connection;
    buf = uv_buf_init(connection->answer.data, (unsigned)connection->answer.len);
    if (uv_write(&connection->write, (uv_stream_t *)&connection->tcp, &buf, 1, on_answer_written) <
        0)
        connection_close(connection);
}

static void connection_refuse(struct browser_connection *connection, int status)
{
    struct buf page = { 0 };

    buf_addf(&page, "<!doctype html><title>%s</title><p>%s\n", status_reason(status),
             status_reason(status));
    connection_answer(connection, status, buf_str(&page));
    buf_free(&page);
}

/* --- requests ----------------------------------------------------------------------------- */

static void give_head_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct browser_connection *connection = handle->data;

    (void)suggested;
    *buf = uv_buf_init(buf_reserve(&connection->head, 4096), 4096);
}

static void connection_look(struct browser_connection *connection)
{
    struct loopback *loopback = connection->loopback;
    struct str head = buf_str(&connection->head);
    size_t length = browser_request_head_length(head);
    int status;

    if (!length && head.len < BROWSER_HEAD_MAX)
        return;
    uv_read_stop((uv_stream_t *)&connection->tcp);
    head.len = length;
    status = length && length <= BROWSER_HEAD_MAX
                 ? browser_request_parse(head, &connection->request)
                 : 431;
    if (!status && !browser_request_is_local(&connection->request, loopback->port))
        status = 403;
    if (status) {
        connection_refuse(connection, status);
        return;
    }
    timer_forget(connection->timer); /* how long the answer takes is not the browser's fault */
    connection->timer = NULL;
    connection->waiting = true;
    loopback->arrived(loopback->arg);
}

static void on_request_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct browser_connection *connection = stream->data;

    (void)buf;
    if (count < 0) {
        connection_close(connection);
        return;
    }
    connection->head.len += (size_t)count;
    connection_look(connection);
}

static void on_browser_connection(uv_stream_t *server, int status)
{
    struct loopback *loopback = server->data;
    struct browser_connection *connection;

    if (status < 0)
        return;
    connection = mem_zero(sizeof *connection);
    connection->loopback = loopback;
    connection->tcp.data = connection;
    uv_tcp_init(server->loop, &connection->tcp);
    loopback->handles++;
    loopback->count++;
    list_push(&loopback->connections, &connection->link);
    if (uv_accept(server, (uv_stream_t *)&connection->tcp) < 0 ||
        loopback->count > CONNECTIONS_MAX ||
        uv_read_start((uv_stream_t *)&connection->tcp, give_head_room, on_request_read) < 0) {
        connection_close(connection);
        return;
    }
    connection_limit(connection);
}

/* --- the listener ------------------------------------------------------------------------- */

static void on_loopback_closed(uv_handle_t *handle)
{
    loopback_release(handle->data);
}

static int listen_on_port(struct loopback *loopback, unsigned port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    int length = sizeof address;
    int rc;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    rc = uv_tcp_bind(&loopback->tcp, (const struct sockaddr *)&address, 0);
    if (rc == 0)
        rc = uv_listen((uv_stream_t *)&loopback->tcp, BROWSER_BACKLOG, on_browser_connection);
    if (rc == 0)
        rc = uv_tcp_getsockname(&loopback->tcp, (struct sockaddr *)&address, &length);
    loopback->port = ntohs(address.sin_port);
    return rc;
}

struct loopback *loopback_open(uv_loop_t *loop, unsigned port, void (*arrived)(void *arg),
                               void *arg, struct error *err)
{
    struct loopback *loopback = mem_zero(sizeof *loopback);
    int rc;

    uv_tcp_init(loop, &loopback->tcp);
    loopback->tcp.data = loopback;
    loopback->handles = 1;
    loopback->arrived = arrived;
    loopback->arg = arg;
    list_init(&loopback->connections);
    rc = listen_on_port(loopback, port);
    if (rc == 0)
        return loopback;
    uv_close((uv_handle_t *)&loopback->tcp, on_loopback_closed);
    if (rc == UV_EADDRINUSE)
        error_set(err, "address_in_use",
                  "another program is listening on port %u of 127.0.0.1. Use another port", port);
    else
        error_errno(err, -rc, "cannot listen on 127.0.0.1");
    return NULL;
}

unsigned loopback_port(const struct loopback *loopback)
{
    return loopback->port;
}

static struct browser_connection *waiting_connection(struct loopback *loopback)
{
    list_each (link, &loopback->connections) {
        struct browser_connection *connection = container_of(link, struct browser_connection, link);

        if (connection->waiting)
            return connection;
    }
    return NULL;
}

const struct browser_request *loopback_next(struct loopback *loopback)
{
    struct browser_connection *connection = waiting_connection(loopback);

    return connection ? &connection->request : NULL;
}

void loopback_reply(struct loopback *loopback, int status, struct str html)
{
    struct browser_connection *connection = waiting_connection(loopback);

    if (connection)
        connection_answer(connection, status, html);
}

void loopback_close(struct loopback *loopback)
{
    if (!loopback)
        return;
    loopback->arrived = NULL;
    list_each (link, &loopback->connections) {
        struct browser_connection *connection = container_of(link, struct browser_connection, link);

        if (!connection->answered)
            connection_close(connection);
    }
    uv_close((uv_handle_t *)&loopback->tcp, on_loopback_closed);
}
