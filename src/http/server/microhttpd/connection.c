/* Connections as libmicrohttpd tells of them. One is ended by shutting its socket down:
 * libmicrohttpd then finds it closed, in its own time. */
#include "http/server/microhttpd/connection.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/log.h"
#include "http/server/microhttpd/hangup_watch.h"
#include "http/server/microhttpd/poller.h"

static uint64_t now_of(const struct connection *connection)
{
    return uv_now(connection->httpd->loop);
}

void connection_stage(struct connection *connection, enum stage stage)
{
    connection->stage = stage;
    connection_rest(connection);
    list_remove(&connection->link);
    list_push(&connection->httpd->connections[stage], &connection->link);
}

void connection_rest(struct connection *connection)
{
    connection->since = now_of(connection);
    connection->moved = 0;
    connection->httpd->progress = true;
}

void connection_moved(struct connection *connection, size_t bytes)
{
    connection->moved += bytes;
    connection->httpd->progress = true;
}

void connection_cut(struct connection *connection)
{
    if (connection->cut)
        return;
    connection->cut = true;
    shutdown(connection->fd, SHUT_RDWR);
}

void connection_drop(struct connection *connection, const char *why)
{
    log_debug("http: dropped a client: %s", why);
    connection->httpd->counts.dropped++;
    connection_cut(connection);
    list_remove(&connection->link); /* libmicrohttpd tells when it has closed it */
}

bool connection_is_slow(const struct connection *connection, uint64_t now)
{
    uint64_t ms = now - connection->since;

    return ms > (uint64_t)connection->httpd->options.head_seconds * 1000 &&
           connection->moved * 1000 < connection->httpd->options.rate * ms;
}

bool connection_make_room(struct httpd *httpd, uint64_t since)
{
    struct link *first = httpd->connections[STAGE_HEAD].next;

    if (list_empty(&httpd->connections[STAGE_HEAD]) ||
        container_of(first, struct connection, link)->since >= since)
        return false;
    connection_drop(container_of(first, struct connection, link), "room is needed for others");
    return true;
}

static void exchange_start(struct httpd *httpd, struct MHD_Connection *mhd, void **slot)
{
    struct connection *connection = mem_zero(sizeof *connection);

    connection->httpd = httpd;
    connection->mhd = mhd;
    connection->fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    list_init(&connection->link);
    *slot = connection;
    httpd->counts.connections++;
    connection_stage(connection, STAGE_HEAD);
}

void connection_notify(void *arg, struct MHD_Connection *mhd, void **slot,
                       enum MHD_ConnectionNotificationCode code)
{
    struct httpd *httpd = arg;
    struct connection *connection = *slot;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        exchange_start(httpd, mhd, slot);
        return;
    }
    if (httpd->poller)
        poller_forget(httpd->poller, connection->fd);
    hangup_watch_free(connection);
    httpd->counts.connections--;
    list_remove(&connection->link);
    free(connection);
    *slot = NULL;
}
