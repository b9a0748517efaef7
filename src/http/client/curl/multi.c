/* libcurl's multi handle on a libuv loop.
 *
 * libcurl says which sockets it wants watched and when it wants to be called;
 * both become libuv handles. It must not be entered again from one of its own
 * callbacks, and those call our events, in which anything may be cancelled:
 * that is noted then, and carried out once libcurl has returned. */
#include "http/client/curl/multi.h"

#include <stdlib.h>

/* A socket of libcurl's, watched by us. */
struct watched_socket {
    uv_poll_t poll;
    struct net *net;
    curl_socket_t fd;
    int events; /* UV_READABLE, UV_WRITABLE: what libcurl waits for */
};

const struct net_api net_api;

/* --- after libcurl ---------------------------------------------------------------- */

static void drop_exchange(struct net_exchange *x)
{
    curl_multi_remove_handle(x->net->multi, x->easy);
    exchange_free(x);
}

static void report_exchange(struct net_exchange *x, CURLcode code)
{
    struct net_result result = { .ok = code == CURLE_OK, .stopped = x->stopped };
    struct net_events events = x->events;
    void *arg = x->arg;
    char *redirect = NULL;

    if (!result.ok && !result.stopped)
        net_explain(x, code, &result.error);
    result.sent = net_was_sent(code);
    curl_easy_getinfo(x->easy, CURLINFO_REDIRECT_URL, &redirect);
    if (redirect)
        result.redirect = redirect = mem_strdup(redirect);
    drop_exchange(x);
    events.done(arg, &result);
    free(redirect);
}

static struct net_exchange *next_finished_exchange(struct net *net, CURLcode *code)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(net->multi, &left))) {
        struct net_exchange *x = NULL;

        if (message->msg != CURLMSG_DONE)
            continue;
        *code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&x);
        return x;
    }
    return NULL;
}

static void net_settle(struct net *net)
{
    struct net_exchange *x;
    CURLcode code;

    list_each (item, &net->exchanges) {
        x = container_of(item, struct net_exchange, link);
        if (x->cancelled)
            drop_exchange(x);
    }
    while ((x = next_finished_exchange(net, &code)))
        report_exchange(x, code);
}

static void net_enter(struct net *net, curl_socket_t fd, int events)
{
    int running;

    net->inside++;
    curl_multi_socket_action(net->multi, fd, events, &running);
    net->inside--;
    net_settle(net);
}

/* --- what libcurl asks for ---------------------------------------------------------- */

static void on_socket_ready(uv_poll_t *poll, int status, int events);

static int socket_watch(struct watched_socket *watched)
{
    return uv_poll_start(&watched->poll, watched->events, on_socket_ready);
}

/* An error of the socket (the server reset it) is for libcurl to read, as poll() would let it: what
 * arrived before it still counts, and a request on a kept connection is sent again on a new one.
 * CURL_CSELECT_ERR would fail both. libuv has ended the watch then. */
static void on_socket_ready(uv_poll_t *poll, int status, int events)
{
    struct watched_socket *watched = container_of(poll, struct watched_socket, poll);
    int flags = 0;

    if (status < 0)
        events = UV_READABLE | UV_WRITABLE;
    if (events & UV_READABLE)
        flags |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE)
        flags |= CURL_CSELECT_OUT;
    net_enter(watched->net, watched->fd, flags);
    if (status < 0 && !uv_is_closing((uv_handle_t *)poll) && watched->events)
        socket_watch(watched);
}

static void on_watched_closed(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct watched_socket, poll));
}

static struct watched_socket *watched_new(struct net *net, curl_socket_t fd)
{
    struct watched_socket *watched = mem_zero(sizeof *watched);

    watched->net = net;
    watched->fd = fd;
    if (uv_poll_init_socket(net->loop, &watched->poll, fd) != 0) {
        free(watched);
        return NULL;
    }
    curl_multi_assign(net->multi, fd, watched);
    return watched;
}

static int on_socket_wanted(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
    struct net *net = arg;
    struct watched_socket *watched = known;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (watched)
            uv_close((uv_handle_t *)&watched->poll, on_watched_closed);
        return 0;
    }
    if (!watched)
        watched = watched_new(net, fd);
    if (!watched)
        return -1;
    watched->events =
        (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0);
    return socket_watch(watched) == 0 ? 0 : -1;
}

static void on_net_timeout(uv_timer_t *timer)
{
    net_enter(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int on_timer_wanted(CURLM *multi, long ms, void *arg)
{
    struct net *net = arg;

    (void)multi;
    if (net->closing)
        return 0;
    if (ms < 0)
        return uv_timer_stop(&net->timer);
    uv_update_time(net->loop);
    return uv_timer_start(&net->timer, on_net_timeout, (uint64_t)ms, 0);
}

/* --- the interface ------------------------------------------------------------------ */

static void on_net_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static struct net *net_open(uv_loop_t *loop, struct error *err)
{
    struct net *net;
    CURLM *multi;

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(multi = curl_multi_init())) {
        error_set(err, "module_broken", "libcurl %s cannot be initialized. Check its installation",
                  curl_version());
        return NULL;
    }
    net = mem_zero(sizeof *net);
    net->loop = loop;
    net->multi = multi;
    list_init(&net->exchanges);
    uv_timer_init(loop, &net->timer);
    net->timer.data = net;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket_wanted);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, net);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer_wanted);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, net);
    return net;
}

static void net_close(struct net *net)
{
    list_each (item, &net->exchanges)
        drop_exchange(container_of(item, struct net_exchange, link));
    net->closing = true;
    curl_multi_cleanup(net->multi); /* closes the kept connections and their watches */
    uv_close((uv_handle_t *)&net->timer, on_net_closed);
}

static struct net_exchange *net_start(struct net *net, const struct net_request *request,
                                      const struct net_events *events, void *arg, struct error *err)
{
    struct net_exchange *x = exchange_new(net, request, events, arg, err);

    if (!x)
        return NULL;
    if (curl_multi_add_handle(net->multi, x->easy) == CURLM_OK) {
        list_push(&net->exchanges, &x->link);
        return x;
    }
    exchange_free(x);
    error_set(err, "bad_response", "libcurl rejected the request to %s. Check its URL and headers",
              request->host);
    return NULL;
}

static void net_cancel(struct net_exchange *x)
{
    x->cancelled = true;
    if (!x->net->inside)
        drop_exchange(x);
}

static void net_pause(struct net_exchange *x, bool paused)
{
    struct net *net = x->net;
    bool held = x->held;

    x->paused = paused;
    if (paused || !held)
        return;
    x->held = false;
    net->inside++;
    curl_easy_pause(x->easy, CURLPAUSE_CONT);
    net->inside--;
    net_enter(net, CURL_SOCKET_TIMEOUT, 0); /* it reads on, and reports what ended */
}

const struct net_api net_api = {
    .open = net_open,
    .close = net_close,
    .start = net_start,
    .cancel = net_cancel,
    .pause = net_pause,
    .parse = net_parse,
    .ascii = net_ascii,
};
