/* The server as a whole: where it listens, and how it ends. */
#include "mcp/server/http/endpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/module.h"
#include "files/trust.h"
#include "mcp/server/http/endpoint_impl.h"
#include "mcp/server/http/oauth.h"
#include "mcp/server/http/route.h"
#include "mcp/server/http/sessions.h"
#include "mcp/server/http/stream.h"

enum { ENDPOINT_TICK_MS = 1000, DRAIN_TICK_MS = 20, PEM_BYTES = 256 * 1024, SPARE_FILES = 64 };

/* --- time -------------------------------------------------------------------------------- */

/* Calls that have not ended by now end with an error, which gets a moment to be read. */
static void stop_calls(struct http_server *http)
{
    static const char why[] =
        "The server is shutting down and stopped this request. Try again later";

    http->stopped = true;
    http->drain_until = uv_now(http->loop) + HTTP_LAST_MS;
    list_each (link, &http->streams) {
        struct http_stream *stream = container_of(link, struct http_stream, link);

        if (stream->own)
            session_stop_calls(stream->own, why);
    }
    list_each (link, &http->sessions)
        session_stop_calls(container_of(link, struct http_session, link)->core, why);
}

static void check_drained(struct http_server *http)
{
    void (*done)(void *arg) = http->drained;

    if (!http->draining || !done)
        return;
    if (http->stream_count && uv_now(http->loop) < http->drain_until)
        return;
    if (http->stream_count && !http->stopped) {
        stop_calls(http);
        return;
    }
    http->drained = NULL;
    done(http->drained_arg);
}

static void on_endpoint_tick(uv_timer_t *timer)
{
    struct http_server *http = timer->data;
    uint64_t now = uv_now(http->loop);

    list_each (link, &http->streams)
        stream_tick(container_of(link, struct http_stream, link), now);
    http_sessions_tick(http, now);
    check_drained(http);
}

static void on_reap(uv_idle_t *idle)
{
    struct http_server *http = idle->data;
    struct link *link;

    uv_idle_stop(idle);
    while ((link = list_pop(&http->dead)))
        stream_free(container_of(link, struct http_stream, link));
    check_drained(http);
}

static void reap_sessions(struct http_server *http)
{
    if (!http->closing)
        uv_idle_start(&http->reaper, on_reap);
}

/* --- start ------------------------------------------------------------------------- */

#define DEFAULT(field, value)                                                                      \
    if (!o->field)                                                                                 \
    o->field = (value)

static void fill_options(struct http_server *http, const struct http_server_options *options)
{
    struct http_server_options *o = &http->options;

    *o = *options;
    http->hosts = mem_strings_copy(options->hosts, options->host_count);
    http->origins = mem_strings_copy(options->origins, options->origin_count);
    http->token.text = options->token ? mem_strdup(options->token) : NULL;
    http->token.file = options->token_file ? mem_strdup(options->token_file) : NULL;
    o->hosts = o->origins = NULL;
    o->oauth = (struct http_oauth_options){ 0 };
    DEFAULT(connections, HTTP_CONNECTIONS);
    DEFAULT(sessions, HTTP_SESSIONS);
    DEFAULT(streams, HTTP_STREAMS);
    DEFAULT(body_bytes, HTTP_MESSAGE);
    DEFAULT(header_bytes, HTTP_HEAD);
    DEFAULT(rate, HTTP_RATE);
    DEFAULT(session_seconds, HTTP_SESSION_SECONDS);
    DEFAULT(head_seconds, HTTP_HEAD_SECONDS);
    DEFAULT(idle_seconds, HTTP_IDLE_SECONDS);
}

/* Each connection is a descriptor; takes as many as the system gives. */
static void want_files(struct http_server *http)
{
    struct rlimit limit;
    rlim_t wanted = http->options.connections + SPARE_FILES;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < wanted && limit.rlim_cur > (rlim_t)2 * SPARE_FILES)
        http->options.connections = limit.rlim_cur - SPARE_FILES;
}

static bool read_pem(const char *path, struct buf *out, struct error *err)
{
    if (!path)
        return true;
    if (!trust_read(path, TRUST_RULES, PEM_BYTES, out, err))
        return false;
    buf_text(out);
    return true;
}

static bool open_listener(struct http_server *http, struct http_listener *listener,
                          const struct http_address *address, struct error *err)
{
    const struct http_server_options *o = &http->options;
    struct buf certificate = { 0 }, key = { 0 };
    struct httpd_options options = { .own_peers = address->socket != NULL,
                                     .connections = o->connections,
                                     .header_bytes = o->header_bytes,
                                     .body_bytes = o->body_bytes,
                                     .head_seconds = o->head_seconds,
                                     .idle_seconds = o->idle_seconds,
                                     .rate = o->rate,
                                     .events = http_route,
                                     .arg = listener };

    listener->http = http;
    listener->address = *address;
    listener->address.host = address->host ? mem_strdup(address->host) : NULL;
    listener->address.socket = address->socket ? mem_strdup(address->socket) : NULL;
    listener->address.path = mem_strdup(address->path);
    http->listener_count++;
    options.fd = http_listen(&listener->address, err);
    if (options.fd < 0)
        return false;
    if (!address->socket && o->certificate) {
        if (!read_pem(o->certificate, &certificate, err) || !read_pem(o->key, &key, err)) {
            close(options.fd);
            return false;
        }
        options.certificate = buf_text(&certificate);
        options.key = buf_text(&key);
    }
    listener->httpd = http->api->open(http->loop, &options, err);
    buf_free(&certificate);
    buf_free(&key);
    return listener->httpd != NULL;
}

static void start_handles(struct http_server *http)
{
    uv_timer_init(http->loop, &http->tick);
    uv_idle_init(http->loop, &http->reaper);
    http->tick.data = http->reaper.data = http;
    http->handles = 2;
    uv_timer_start(&http->tick, on_endpoint_tick, ENDPOINT_TICK_MS, ENDPOINT_TICK_MS);
    list_init(&http->dead);
    list_init(&http->streams);
    list_init(&http->sessions);
    for (size_t i = 0; i < HTTP_BUCKETS; i++)
        list_init(&http->buckets[i]);
}

struct http_server *http_server_new(uv_loop_t *loop, const struct http_server_options *options,
                                    struct error *err)
{
    const struct httpd_api *api = module_symbol("microhttpd", "httpd_api", err);
    struct http_server *http;

    if (!api)
        return NULL;
    http = mem_zero(sizeof *http);
    http->loop = loop;
    http->api = api;
    http->reap = reap_sessions;
    fill_options(http, options);
    want_files(http);
    start_handles(http);
    http->listeners = mem_zero((options->address_count + 1) * sizeof *http->listeners);
    for (size_t i = 0; i < options->address_count; i++) {
        if (open_listener(http, &http->listeners[i], &options->addresses[i], err))
            continue;
        http_server_free(http);
        return NULL;
    }
    if (options->oauth.issuer)
        http->oauth = oauth_new(http, &options->oauth, http_serve);
    return http;
}

void http_server_urls(const struct http_server *http, struct buf *out)
{
    for (size_t i = 0; i < http->listener_count; i++) {
        const struct http_address *address = &http->listeners[i].address;
        bool six = address->host && strchr(address->host, ':');

        if (address->socket)
            buf_addf(out, "unix:%s\n", address->socket);
        else
            buf_addf(out, "%s://%s%s%s:%u%s\n", http->options.certificate ? "https" : "http",
                     six ? "[" : "", address->host, six ? "]" : "", address->port, address->path);
    }
}

/* --- the end ----------------------------------------------------------------------- */

void http_server_drain(struct http_server *http, uint64_t ms, void (*done)(void *arg), void *arg)
{
    if (http->draining)
        return;
    http->draining = true;
    http->drain_until = uv_now(http->loop) + (ms ? ms : HTTP_DRAIN_MS);
    http->drained = done;
    http->drained_arg = arg;
    for (size_t i = 0; i < http->listener_count; i++)
        http->api->stop(http->listeners[i].httpd);
    list_each (link, &http->streams) {
        struct http_stream *stream = container_of(link, struct http_stream, link);

        if (stream->own)
            session_end_listens(stream->own);
        else if (stream->general)
            stream_close(stream);
    }
    uv_timer_start(&http->tick, on_endpoint_tick, DRAIN_TICK_MS, DRAIN_TICK_MS);
}

static void on_endpoint_handle_closed(uv_handle_t *handle)
{
    struct http_server *http = handle->data;

    if (--http->handles == 0)
        free(http);
}

void http_server_free(struct http_server *http)
{
    struct link *link;

    if (!http)
        return;
    http->closing = true;
    for (size_t i = 0; i < http->listener_count; i++) {
        struct http_listener *listener = &http->listeners[i];

        if (listener->httpd)
            http->api->close(listener->httpd);
        if (listener->httpd && listener->address.socket)
            unlink(listener->address.socket);
        http_address_free(&listener->address);
    }
    while (!list_empty(&http->sessions))
        http_session_end(container_of(http->sessions.next, struct http_session, link));
    while ((link = list_pop(&http->dead)))
        stream_free(container_of(link, struct http_stream, link));
    oauth_free(http->oauth);
    free(http->listeners);
    mem_strings_free(http->hosts);
    mem_strings_free(http->origins);
    free(http->token.text);
    free(http->token.file);
    uv_close((uv_handle_t *)&http->tick, on_endpoint_handle_closed);
    uv_close((uv_handle_t *)&http->reaper, on_endpoint_handle_closed);
}
