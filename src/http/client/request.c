/* The life of a request: exchanges one after the other until one counts.
 *
 * A single timer stands for the deadline, the idle limit and the wait before
 * the next try; each time it fires, the clock is asked which of them is due.
 * Activity only notes the time, so that bytes do not restart timers. */
#include "http/client/request.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/module.h"
#include "http/client/rules.h"

enum { SKIP_MAX = 65536 }; /* bytes of an unwanted body that are read to keep its connection */

/* --- lifetime ------------------------------------------------------------------- */

static void free_fetch(struct http_fetch *h)
{
    free(h->method);
    free(h->url);
    free(h->from);
    free(h->ca_file);
    free(h->socket);
    free(h->where.origin);
    free(h->where.host);
    free(h->body);
    header_list_free(&h->sent);
    header_list_free(&h->got);
    buf_free(&h->result.body);
    free(h);
}

static void on_fetch_timer_closed(uv_handle_t *handle)
{
    struct http_fetch *h = handle->data;

    h->timer_open = false;
    if (h->freed)
        free_fetch(h);
}

/* Takes all that moves off the request; the loop has nothing of it afterwards. */
static void halt_fetch(struct http_fetch *h)
{
    if (h->over)
        return;
    h->over = true;
    list_remove(&h->link);
    if (h->exchange)
        h->client->api->cancel(h->exchange);
    h->exchange = NULL;
    uv_close((uv_handle_t *)&h->timer, on_fetch_timer_closed);
}

void http_fetch_free(struct http_fetch *h)
{
    if (!h)
        return;
    halt_fetch(h);
    h->freed = true;
    if (!h->timer_open)
        free_fetch(h);
}

static void fetch_finish(struct http_fetch *h, const struct error *err)
{
    struct http_result *result = &h->result;

    if (h->over)
        return;
    halt_fetch(h);
    result->ok = err == NULL;
    if (err)
        result->error = *err;
    if (err && result->attempts > 1) {
        size_t len = strlen(result->error.text);

        snprintf(result->error.text + len, sizeof result->error.text - len, " (after %u attempts)",
                 result->attempts);
    }
    result->url = h->url;
    result->headers = header_list_view(&h->got);
    result->elapsed_ms = http_now_ms() - h->started;
    if (h->events.done)
        h->events.done(h->arg, result);
}

/* --- clocks --------------------------------------------------------------------- */

static void on_fetch_timer(uv_timer_t *timer);

static uint64_t sooner_time(uint64_t a, uint64_t b)
{
    return a && (!b || a < b) ? a : b;
}

static uint64_t deadline_of(const struct http_fetch *h)
{
    bool counts = h->spec.total_timeout_ms && !h->result.held;

    return counts ? h->started + h->spec.total_timeout_ms : 0;
}

static uint64_t idle_limit_of(const struct http_fetch *h)
{
    bool counts = h->exchange && !h->paused && h->spec.idle_timeout_ms;

    return counts ? h->active_at + h->spec.idle_timeout_ms : 0;
}

static void schedule_timer(struct http_fetch *h)
{
    uint64_t due = sooner_time(deadline_of(h), sooner_time(idle_limit_of(h), h->retry_at));
    uint64_t now = http_now_ms();

    if (h->resumed)
        due = now;
    if (!due) {
        uv_timer_stop(&h->timer);
        return;
    }
    uv_update_time(h->timer.loop);
    uv_timer_start(&h->timer, on_fetch_timer, due > now ? due - now : 0, 0);
}

static void start_attempt(struct http_fetch *h);

static void on_fetch_timer(uv_timer_t *timer)
{
    struct http_fetch *h = timer->data;
    uint64_t now = http_now_ms();
    struct error err;

    if (deadline_of(h) && now >= deadline_of(h)) {
        error_set(&err, "timeout",
                  "%s did not finish its answer within %llu ms. Allow more time or try again later",
                  h->where.host, (unsigned long long)h->spec.total_timeout_ms);
        fetch_finish(h, &err);
    } else if (idle_limit_of(h) && now >= idle_limit_of(h)) {
        error_set(&err, "timeout",
                  "%s sent nothing for %llu ms. Allow more time or try again later", h->where.host,
                  (unsigned long long)h->spec.idle_timeout_ms);
        fetch_finish(h, &err);
    } else if (h->retry_at && now >= h->retry_at) {
        if (!h->result.held)
            h->result.attempts++;
        h->result.held = false;
        start_attempt(h);
    } else if (h->resumed) {
        h->resumed = false;
        schedule_timer(h);
        if (h->exchange)
            h->client->api->pause(h->exchange, false); /* h may be gone now */
    } else {
        schedule_timer(h);
    }
}

static void wait_and_retry(struct http_fetch *h, const struct error *why)
{
    h->retry_at = http_now_ms() + h->wait_ms;
    if (h->events.retry)
        h->events.retry(h->arg, h->result.attempts, h->wait_ms, why);
    if (!h->over)
        schedule_timer(h);
}

/* --- the answer ----------------------------------------------------------------- */

/* Stops the exchange; its end reports the failure. */
static bool fetch_stop(struct http_fetch *h, const struct error *err)
{
    h->failure = *err;
    return false;
}

static bool stop_too_large(struct http_fetch *h)
{
    struct error err;

    error_set(&err, "too_large",
              "%s answered with more than %zu bytes. Request less, or raise the limit",
              h->where.host, h->spec.max_response);
    return fetch_stop(h, &err);
}

static void keep_answer(struct http_fetch *h, int status, const struct http_headers *headers)
{
    h->result.status = status;
    header_list_free(&h->got);
    header_list_add_all(&h->got, *headers);
}

/* Compressed, it says nothing of the size we count. */
static bool announces_too_much(const struct http_fetch *h, const struct http_headers *headers)
{
    const char *length = http_header_value(headers, "content-length");

    return length && !h->spec.truncate && strcmp(h->method, "HEAD") != 0 &&
           !http_header_value(headers, "content-encoding") &&
           strtoull(length, NULL, 10) > h->spec.max_response;
}

static bool on_fetch_headers(void *arg, int status, const struct http_headers *headers)
{
    struct http_fetch *h = arg;
    struct error err;

    keep_answer(h, status, headers);
    if (!http_judge(h, status, headers, &err))
        return fetch_stop(h, &err);
    if (h->fate != FATE_DELIVER)
        return true;
    if (announces_too_much(h, headers))
        return stop_too_large(h);
    if (h->events.headers)
        h->events.headers(h->arg, status, headers);
    return !h->over;
}

static bool on_fetch_data(void *arg, const char *ptr, size_t len)
{
    struct http_fetch *h = arg;
    size_t room = h->spec.max_response - h->result.bytes;
    size_t take = len < room ? len : room;

    if (h->fate != FATE_DELIVER) {
        h->skipped += len;
        return h->skipped <= SKIP_MAX;
    }
    if (len > room && !h->spec.truncate)
        return stop_too_large(h);
    h->result.bytes += take;
    if (!h->events.data)
        buf_add(&h->result.body, ptr, take);
    else if (take > 0)
        h->events.data(h->arg, ptr, take);
    h->result.truncated = len > room;
    return !h->over && !h->result.truncated;
}

static void on_active(void *arg)
{
    ((struct http_fetch *)arg)->active_at = http_now_ms();
}

/* Nothing of an answer came: another try can do no harm, provided the request
 * never left, or may arrive twice. */
static bool worth_retrying(struct http_fetch *h, const struct net_result *result)
{
    bool transient = strcmp(result->error.code, "tls") != 0 && !h->result.status;

    return transient && (!result->sent || h->spec.retry_unsafe || retry_method(h->method)) &&
           http_may_retry(h, NULL);
}

static void fetch_follow(struct http_fetch *h, const char *url)
{
    struct error err;

    if (!http_follow(h, url, &err)) {
        fetch_finish(h, &err);
    } else if (!h->result.held) {
        start_attempt(h);
    } else {
        h->held_at = http_now_ms();
        schedule_timer(h);
        h->events.done(h->arg, &h->result);
    }
}

static void on_fetch_done(void *arg, const struct net_result *result)
{
    struct http_fetch *h = arg;

    h->exchange = NULL;
    if (result->stopped && h->failure.code[0] && h->fate != FATE_RETRY)
        fetch_finish(h, &h->failure);
    else if (h->result.status && h->fate == FATE_REDIRECT)
        fetch_follow(h, result->redirect);
    else if (h->result.status && h->fate == FATE_RETRY)
        wait_and_retry(h, &h->failure);
    else if (result->ok || h->result.truncated)
        fetch_finish(h, NULL);
    else if (worth_retrying(h, result))
        wait_and_retry(h, &result->error);
    else
        fetch_finish(h, &result->error);
}

/* --- trying --------------------------------------------------------------------- */

static void start_attempt(struct http_fetch *h)
{
    static const struct net_events events = { on_fetch_headers, on_fetch_data, on_active,
                                              on_fetch_done };
    struct net_request request = {
        .method = h->method,
        .url = h->url,
        .host = h->socket ? h->socket : h->where.host,
        .headers = header_list_view(&h->sent),
        .body = { h->body, h->body_len },
        .has_body = h->body != NULL,
        .once = !h->spec.retry_unsafe && !retry_method(h->method),
        .connect_timeout_ms = h->spec.connect_timeout_ms,
        .ca_file = h->ca_file,
        .socket = h->socket,
    };
    struct error err;

    h->fate = FATE_DELIVER;
    h->retry_at = 0;
    h->skipped = 0;
    h->result.status = 0;
    h->failure.code[0] = '\0';
    header_list_free(&h->got);
    h->active_at = http_now_ms();
    h->exchange = h->client->api->start(h->client->net, &request, &events, h, &err);
    if (h->exchange && h->paused)
        h->client->api->pause(h->exchange, true);
    if (h->exchange)
        schedule_timer(h);
    else
        fetch_finish(h, &err);
}

bool http_host_ascii(struct buf *out, struct str name)
{
    struct error err;
    const struct net_api *api = module_symbol("curl", "net_api", &err);

    return api && api->ascii(out, name);
}

static bool open_net(struct http_client *client, struct error *err)
{
    const struct net_api *api;

    if (client->net)
        return true;
    api = module_symbol("curl", "net_api", err);
    if (!api)
        return false;
    client->api = api;
    client->net = api->open(client->loop, err);
    return client->net != NULL;
}

static struct http_fetch *http_fetch_new(struct http_client *client,
                                         const struct http_request *request,
                                         const struct http_events *events, void *arg)
{
    struct http_fetch *h = mem_zero(sizeof *h);

    h->client = client;
    h->spec = *request;
    if (!h->spec.connect_timeout_ms)
        h->spec.connect_timeout_ms = HTTP_CONNECT_MS;
    if (!h->spec.max_response)
        h->spec.max_response = HTTP_MAX_RESPONSE;
    if (events)
        h->events = *events;
    h->arg = arg;
    h->method = mem_strdup(request->method ? request->method : request->body.len ? "POST" : "GET");
    h->url = mem_strdup(request->url);
    h->ca_file = request->ca_file ? mem_strdup(request->ca_file) : NULL;
    h->socket = request->socket ? mem_strdup(request->socket) : NULL;
    header_list_add_all(&h->sent, request->headers);
    if (request->body.len)
        h->body = mem_strndup(request->body.ptr, request->body.len);
    h->body_len = request->body.len;
    h->started = h->retry_at = http_now_ms(); /* the first try */
    uv_timer_init(client->loop, &h->timer);
    h->timer.data = h;
    h->timer_open = true;
    list_push(&client->calls, &h->link);
    return h;
}

static bool method_ok(const char *method, struct error *err)
{
    if (http_is_token(method) && strlen(method) <= 32)
        return true;
    return error_set(err, "bad_argument",
                     "\"%.40s\" is not an HTTP method. Use GET, POST or another one", method);
}

struct http_fetch *http_fetch_start(struct http_client *client, const struct http_request *request,
                                    const struct http_events *events, void *arg, struct error *err)
{
    struct net_url where;
    struct http_fetch *h;

    if (!http_headers_check(&request->headers, err) ||
        (request->method && !method_ok(request->method, err)) || !open_net(client, err) ||
        !client->api->parse(request->url, &where, err))
        return NULL;
    h = http_fetch_new(client, request, events, arg);
    h->where = where;
    schedule_timer(h); /* the timer begins, so that no event comes from in here */
    return h;
}

void http_fetch_pause(struct http_fetch *h)
{
    if (h->over || h->paused)
        return;
    h->paused = true;
    h->resumed = false;
    if (h->exchange)
        h->client->api->pause(h->exchange, true);
    schedule_timer(h);
}

/* Data may come at once when an exchange goes on: so it does from the timer. */
void http_fetch_resume(struct http_fetch *h)
{
    if (h->over || !h->paused)
        return;
    h->paused = false;
    h->resumed = true;
    h->active_at = http_now_ms();
    schedule_timer(h);
}

struct http_request http_fetch_sent(const struct http_fetch *h, const char **from)
{
    *from = h->from;
    return (struct http_request){ .method = h->method,
                                  .url = h->url,
                                  .headers = header_list_view(&h->sent) };
}

void http_fetch_go_on(struct http_fetch *h)
{
    h->retry_at = http_now_ms();
    h->started += h->retry_at - h->held_at;
    if (!h->over)
        schedule_timer(h);
}

struct http_client *http_client_new(uv_loop_t *loop)
{
    struct http_client *client = mem_zero(sizeof *client);

    client->loop = loop;
    list_init(&client->calls);
    return client;
}

void http_client_free(struct http_client *client)
{
    if (!client)
        return;
    list_each (item, &client->calls)
        halt_fetch(container_of(item, struct http_fetch, link));
    if (client->net)
        client->api->close(client->net);
    free(client);
}
