/* One listener: libmicrohttpd's daemon, its connections, and who is too slow.
 *
 * libmicrohttpd itself only knows a limit for silence. A client that sends a byte now and then
 * would hold its place for ever, so each connection stands in the list of what it waits for, the
 * longest first, and a tick looks at their heads. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "http/server/microhttpd/arrival.h"
#include "http/server/microhttpd/connection.h"
#include "http/server/microhttpd/exchange.h"
#include "http/server/microhttpd/hangup_watch.h"
#include "http/server/microhttpd/head_check.h"
#include "http/server/microhttpd/poller.h"

enum {
    SLOW_TICK_MS = 1000,
    ANSWER_BYTES = 2 * 1024, /* the part of it for an answer's head */
};

/* --- who is too slow ------------------------------------------------------------------- */

static void look_at_heads(struct httpd *httpd, uint64_t now)
{
    const struct httpd_options *options = &httpd->options;

    list_each (item, &httpd->connections[STAGE_HEAD]) {
        struct connection *connection = container_of(item, struct connection, link);
        unsigned patience = connection->served ? options->idle_seconds : options->head_seconds;

        if (now - connection->since < (uint64_t)options->head_seconds * 1000)
            break; /* the others came later */
        if (now - connection->since >= (uint64_t)patience * 1000)
            connection_drop(connection, "no request came");
    }
}

/* While its buffer is full of something that has no end, libmicrohttpd does not read, and would not
 * see that the socket is shut down. */
static void look_at_bodies(struct httpd *httpd, uint64_t now)
{
    list_each (item, &httpd->connections[STAGE_BODY]) {
        struct connection *connection = container_of(item, struct connection, link);

        if (!connection_is_slow(connection, now))
            continue;
        connection_drop(connection, "its request arrives too slowly");
        MHD_set_connection_option(connection->mhd, MHD_CONNECTION_OPTION_TIMEOUT, 1U);
    }
}

static void on_daemon_tick(uv_timer_t *timer)
{
    struct httpd *httpd = timer->data;
    uint64_t now = uv_now(httpd->loop);

    arrivals_tick(httpd->arrivals, now);
    look_at_heads(httpd, now);
    look_at_bodies(httpd, now);
    list_each (item, &httpd->connections[STAGE_ANSWER]) {
        struct connection *connection = container_of(item, struct connection, link);
        struct exchange *exchange = connection->exchange;

        if (exchange && exchange_unsent(&exchange->x) == 0)
            connection_rest(connection); /* it waits for us, not we for it */
        else if (exchange && connection_is_slow(connection, now))
            connection_drop(connection, "it reads its answer too slowly");
    }
}

/* --- life -------------------------------------------------------------------------------- */

static void httpd_run(struct httpd *httpd)
{
    if (httpd->closing)
        return;
    if (httpd->options.events.turn)
        httpd->options.events.turn(true);
    MHD_run(httpd->mhd);
    if (httpd->options.events.turn)
        httpd->options.events.turn(false);
    if (httpd->closing)
        return;
    poller_settle(httpd->poller);
    arrivals_settle(httpd->arrivals);
    while (!list_empty(&httpd->unwatched)) {
        struct link *item = list_pop(&httpd->unwatched);

        hangup_watch_start(container_of(item, struct exchange, unwatched)->connection,
                           exchange_abort);
    }
}

static void on_mhd_log(void *arg, const char *format, va_list args)
{
    char text[300];
    size_t len;

    (void)arg;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    vsnprintf(text, sizeof text, format, args);
#pragma GCC diagnostic pop
    len = strlen(text);
    while (len && text[len - 1] == '\n')
        text[--len] = '\0';
    log_debug("http: %s", text);
}

/* Before 1.0 strictness only adds a page in HTML where Host is missing, which we answer ourselves;
 * since then it refuses what head_check.h cannot see there. */
static int daemon_strictness(void)
{
    return MHD_get_version()[0] == '0' ? 0 : 1;
}

static struct MHD_Daemon *daemon_start(struct httpd *httpd)
{
    const struct httpd_options *o = &httpd->options;
    unsigned flags = MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET |
                     (poller_epoll() ? MHD_USE_EPOLL : 0) | (o->certificate ? MHD_USE_TLS : 0);
    struct MHD_OptionItem tls[] = {
        { MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)o->certificate },
        { MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)o->key },
        { MHD_OPTION_END, 0, NULL },
    };
    struct MHD_OptionItem none[] = { { MHD_OPTION_END, 0, NULL } };

    return MHD_start_daemon(
        flags, 0, NULL, NULL, exchange_handle, httpd, MHD_OPTION_EXTERNAL_LOGGER, on_mhd_log,
        NULL, /* first: it covers the others */
        MHD_OPTION_URI_LOG_CALLBACK, head_check_target, NULL, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(o->connections + SPARE_CONNECTIONS), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        o->header_bytes + POOL_BYTES, MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)4096,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_seconds, MHD_OPTION_STRICT_FOR_CLIENT,
        daemon_strictness(), MHD_OPTION_NOTIFY_COMPLETED, exchange_completed, httpd,
        MHD_OPTION_NOTIFY_CONNECTION, connection_notify, httpd, MHD_OPTION_ARRAY,
        o->certificate ? tls : none, MHD_OPTION_END);
}

static struct httpd *httpd_open(uv_loop_t *loop, const struct httpd_options *options,
                                struct error *err)
{
    struct httpd *httpd = mem_zero(sizeof *httpd);

    httpd->loop = loop;
    httpd->options = *options;
    for (size_t i = 0; i < STAGES; i++)
        list_init(&httpd->connections[i]);
    list_init(&httpd->exchanges);
    list_init(&httpd->unwatched);
    httpd->arrivals = arrivals_new(httpd, options->header_bytes + POOL_BYTES - ANSWER_BYTES);
    httpd->mhd = httpd->arrivals ? daemon_start(httpd) : NULL;
    if (!httpd->mhd) {
        if (httpd->arrivals)
            arrivals_free(httpd->arrivals);
        close(options->fd);
        free(httpd);
        error_set(err, "http_server",
                  options->certificate ? "the HTTP server cannot start. Check that the certificate "
                                         "and the key are PEM files that belong together"
                                       : "the HTTP server (libmicrohttpd %s) cannot start. Check "
                                         "the limits of memory and open files",
                  MHD_get_version());
        return NULL;
    }
    httpd->poller = poller_new(httpd, httpd_run);
    uv_timer_init(loop, &httpd->tick);
    httpd->tick.data = httpd;
    uv_timer_start(&httpd->tick, on_daemon_tick, SLOW_TICK_MS, SLOW_TICK_MS);
    httpd_run(httpd);
    return httpd;
}

static void httpd_stop(struct httpd *httpd)
{
    if (httpd->stopped)
        return;
    httpd->stopped = true;
    arrivals_stop(httpd->arrivals);
    close(httpd->options.fd);
}

static void on_tick_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void httpd_close(struct httpd *httpd)
{
    httpd_stop(httpd);
    httpd->closing = true;
    list_each (item, &httpd->exchanges)
        exchange_abort(container_of(item, struct exchange, link));
    arrivals_free(httpd->arrivals);
    MHD_stop_daemon(httpd->mhd);
    poller_free(httpd->poller);
    uv_close((uv_handle_t *)&httpd->tick, on_tick_closed);
}

static struct httpd_counts httpd_counts(const struct httpd *httpd)
{
    return httpd->counts;
}

extern const struct httpd_api httpd_api; /* the symbol that the program looks for */

const struct httpd_api httpd_api = {
    .open = httpd_open,
    .stop = httpd_stop,
    .close = httpd_close,
    .counts = httpd_counts,
    .header = exchange_header,
    .headers = exchange_headers,
    .query = exchange_query,
    .answer = exchange_answer,
    .stream = exchange_stream,
    .write = exchange_write,
    .unsent = exchange_unsent,
    .end = exchange_end,
    .drop = exchange_drop,
};
