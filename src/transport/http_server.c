/* The server as a whole: where it listens, what is asked for, and how it ends. */
#include "transport/http_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/module.h"
#include "io/file.h"
#include "transport/http_impl.h"
#include "transport/http_token.h"

enum { TICK_MS = 1000, DRAIN_TICK_MS = 20, PEM_BYTES = 256 * 1024, SPARE_FILES = 64 };

/* --- what is asked for ---------------------------------------------------------------------- */

static void preflight(struct http_server *http, struct httpd_exchange *x)
{
    struct answer_headers headers = { 0 };
    const char *wanted = http->api->header(x, "Access-Control-Request-Headers", NULL);

    answer_header(&headers, "Allow", "POST, GET, DELETE, OPTIONS");
    if (guard_allowed_origin(http, x)) {
        answer_header(&headers, "Access-Control-Allow-Methods", "POST, GET, DELETE, OPTIONS");
        answer_header(&headers, "Access-Control-Allow-Headers",
                      wanted
                          ? wanted
                          : "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, "
                            "MCP-Protocol-Version, Mcp-Method, Mcp-Name");
        answer_header(&headers, "Access-Control-Max-Age", "7200");
    }
    answer(http, x, 204, NULL, NULL, &headers);
}

static void refuse_method(struct http_server *http, struct httpd_exchange *x, const char *allowed)
{
    struct answer_headers headers = { 0 };

    answer_header(&headers, "Allow", allowed);
    answer_refusal(http, x, 405, RPC_INVALID_REQUEST, &headers, "%s is not for this path: %s",
                   x->method, allowed);
}

static bool is(const char *text, const char *other)
{
    return strcmp(text, other) == 0;
}

static bool modern(struct http_server *http, struct httpd_exchange *x)
{
    const char *version = http->api->header(x, "MCP-Protocol-Version", NULL);

    return version && is(version, MCP_MODERN);
}

static void plain(struct http_server *http, struct httpd_exchange *x, int status, const char *text)
{
    struct buf body = { 0 };

    buf_adds(&body, text);
    answer(http, x, status, "text/plain; charset=utf-8", &body, NULL);
}

static void refuse_drained(struct http_server *http, struct httpd_exchange *x)
{
    struct answer_headers headers = { 0 };

    answer_header(&headers, "Retry-After", "5");
    answer_header(&headers, "Connection", "close");
    answer_refusal(http, x, 503, RPC_INTERNAL_ERROR, &headers, "The server is shutting down");
}

static void metrics(struct http_server *http, struct httpd_exchange *x)
{
    struct buf body = { 0 };

    http_metrics(http, &body);
    answer(http, x, 200, "text/plain; version=0.0.4; charset=utf-8", &body, NULL);
}

/* The paths beside the endpoint. False: it is none of them. */
static bool side_path(struct http_server *http, struct httpd_exchange *x)
{
    bool health = is(x->path, "/healthz"), metadata = oauth_metadata_path(http, x);

    if (!health && !metadata && !is(x->path, "/metrics"))
        return false;
    if (metadata && is(x->method, "OPTIONS"))
        preflight(http, x);
    else if (!is(x->method, "GET") && !is(x->method, "HEAD"))
        refuse_method(http, x, "GET, HEAD");
    else if (health)
        plain(http, x, http->draining ? 503 : 200, http->draining ? "draining\n" : "ok\n");
    else if (metadata)
        oauth_metadata(http, x);
    else if (guard_token(http, x) == GUARD_ENTER)
        metrics(http, x);
    return true;
}

/* Heads that are much too large never come here: libmicrohttpd has no room for them. */
static bool head_fits(struct http_server *http, struct httpd_exchange *x)
{
    if (x->head_bytes <= http->options.header_bytes)
        return true;
    answer_refusal(http, x, 431, RPC_INVALID_REQUEST, NULL,
                   "The request's head has %zu bytes; at most %zu are taken", x->head_bytes,
                   http->options.header_bytes);
    return false;
}

static void on_head(struct httpd_exchange *x)
{
    struct http_listener *listener = x->arg;
    struct http_server *http = listener->http;

    http->requests++;
    if (!head_fits(http, x) || !guard_origin(http, x) || side_path(http, x))
        return;
    if (!is(x->path, listener->address.path)) {
        answer_refusal(http, x, 404, RPC_INVALID_REQUEST, NULL,
                       "There is nothing here; the endpoint is %s", listener->address.path);
    } else if (is(x->method, "OPTIONS")) {
        preflight(http, x);
    } else if (!is(x->method, "POST") &&
               (modern(http, x) || (!is(x->method, "GET") && !is(x->method, "DELETE")))) {
        refuse_method(http, x, modern(http, x) ? "POST, OPTIONS" : "POST, GET, DELETE, OPTIONS");
    } else if (guard_token(http, x) == GUARD_ANSWERED) {
        /* answered */
    } else if (http->draining) {
        refuse_drained(http, x);
    } else if (is(x->method, "POST")) {
        http_check_post(http, x);
    }
}

void http_refuse_size(struct http_server *http, struct httpd_exchange *x)
{
    answer_refusal(http, x, 413, RPC_INVALID_REQUEST, NULL, "The message is longer than %zu bytes",
                   http->options.body_bytes);
}

/* The guard again: what it knew at the head may be gone, and who asks is said for this turn only.
 */
void http_serve(struct http_server *http, struct httpd_exchange *x, enum httpd_body body)
{
    enum guard guard = http->oauth ? guard_token(http, x) : GUARD_ENTER;

    if (guard == GUARD_ANSWERED)
        return;
    if (guard == GUARD_WAIT)
        oauth_park(http, x, body);
    else if (body == HTTPD_BODY_TOO_LARGE)
        http_refuse_size(http, x);
    else if (is(x->path, "/metrics"))
        metrics(http, x);
    else if (is(x->method, "POST"))
        http_post(http, x);
    else if (is(x->method, "GET"))
        http_get(http, x);
    else
        http_delete(http, x);
}

static void on_ready(struct httpd_exchange *x, enum httpd_body body)
{
    http_serve(http_listener_of(x)->http, x, body);
}

static void on_over(struct httpd_exchange *x, bool sent)
{
    (void)sent;
    if (!oauth_left(http_listener_of(x)->http, x) && x->user)
        stream_left(x->user);
}

/* --- time ------------------------------------------------------------------------------------ */

/* What has not ended by now ends with an error, which gets a moment to be read. */
static void stop_calls(struct http_server *http)
{
    static const char why[] = "The server is ending; this was stopped before it was done";

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

static void on_tick(uv_timer_t *timer)
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

void http_server_reap(struct http_server *http)
{
    if (!http->closing)
        uv_idle_start(&http->reaper, on_reap);
}

/* --- start
 * ---------------------------------------------------------------------------------------- */

char **http_copy_list(const char *const *list, size_t count)
{
    char **copy = mem_zero((count + 1) * sizeof *copy);

    for (size_t i = 0; i < count; i++)
        copy[i] = mem_strdup(list[i]);
    return copy;
}

void http_free_list(char **list)
{
    for (size_t i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}

#define DEFAULT(field, value)                                                                      \
    if (!o->field)                                                                                 \
    o->field = (value)

static void fill_options(struct http_server *http, const struct http_server_options *options)
{
    struct http_server_options *o = &http->options;

    *o = *options;
    http->hosts = http_copy_list(options->hosts, options->host_count);
    http->origins = http_copy_list(options->origins, options->origin_count);
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
    if (!file_read_all(path, PEM_BYTES, out, err))
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
                                     .events = { on_head, on_ready, on_over },
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
    uv_timer_start(&http->tick, on_tick, TICK_MS, TICK_MS);
    list_init(&http->dead);
    list_init(&http->streams);
    list_init(&http->sessions);
    for (size_t i = 0; i < HTTP_BUCKETS; i++)
        list_init(&http->buckets[i]);
}

struct http_server *http_server_new(uv_loop_t *loop, const struct http_server_options *options,
                                    struct error *err)
{
    const struct httpd_api *api = module_symbol("http", "httpd_api", err);
    struct http_server *http;

    if (!api)
        return NULL;
    http = mem_zero(sizeof *http);
    http->loop = loop;
    http->api = api;
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
        http->oauth = oauth_new(http, &options->oauth);
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

/* --- the end
 * --------------------------------------------------------------------------------------- */

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
    uv_timer_start(&http->tick, on_tick, DRAIN_TICK_MS, DRAIN_TICK_MS);
}

static void on_closed(uv_handle_t *handle)
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
    http_free_list(http->hosts);
    http_free_list(http->origins);
    free(http->token.text);
    free(http->token.file);
    uv_close((uv_handle_t *)&http->tick, on_closed);
    uv_close((uv_handle_t *)&http->reaper, on_closed);
}
