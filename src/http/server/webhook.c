/* A request has two owners, the exchange and who took it: it is freed with the later one. The
 * module may not be closed from its own events, so that is done in a turn of the loop's. */
#include "http/server/webhook.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/crypto.h"
#include "base/digest.h"
#include "base/list.h"
#include "base/log.h"
#include "base/module.h"
#include "base/timer.h"
#include "http/authority.h"
#include "http/server/bearer.h"
#include "http/server/httpd.h"
#include "http/server/origin_rule.h"

enum {
    HEAD_SECONDS = 10,
    IDLE_SECONDS = 30,
    SLOW_BYTES = 1024,
    DRAIN_MS = 1000, /* for answers that are on their way */
    HEADERS_MAX = 64,
};

struct webhook {
    uv_loop_t *loop;
    const struct httpd_api *api;
    struct httpd *httpd;
    struct webhook_options options; /* without what is copied below */
    struct http_address address;
    char *path, *signature_header;
    char **methods, **hosts, **origins;
    struct buf secret;
    struct link waiting; /* struct webhook_request: not taken yet */
    struct link taken;
    size_t waiting_count;
    size_t exchanges; /* under way, those that are refused included */
    bool closed, finishing;
    struct timer *end; /* once it is closed */
};

enum holder { IN_QUEUE, WITH_TAKER, GIVEN_BACK };

struct webhook_request {
    struct link link; /* in waiting or taken, while there is an exchange */
    struct webhook *hook;
    struct httpd_exchange *x; /* NULL: it is over */
    struct timer *timer;
    enum holder holder;
    bool answered; /* the answer is on its way */
};

/* --- answers --------------------------------------------------------------------------------- */

/* With the headers that all have, and `more`, which ends in an item without a name; NULL: none. */
static void answer_exchange(struct webhook *hook, struct httpd_exchange *x, int status,
                            const struct http_headers *more, struct buf *body)
{
    struct http_header items[HEADERS_MAX + 2] = { { "Cache-Control", "no-store" },
                                                  { "X-Content-Type-Options", "nosniff" } };
    struct http_headers headers = { items, 2 };

    for (size_t i = 0; more && i < more->count && headers.count < countof(items); i++)
        items[headers.count++] = more->items[i];
    log_debug("webhook: %s %.200s %d", x->method, x->path, status);
    hook->api->answer(x, status, &headers, body);
}

static void refuse_webhook_request(struct webhook *hook, struct httpd_exchange *x, int status,
                                   const struct http_header *more, const char *text)
{
    struct http_header items[2] = { { "Content-Type", "text/plain; charset=utf-8" } };
    struct http_headers headers = { items, 1 };
    struct buf body = { 0 };

    if (more)
        items[headers.count++] = *more;
    buf_addf(&body, "%s.\n", text);
    answer_exchange(hook, x, status, &headers, &body);
}

/* --- what is let in -------------------------------------------------------------------------- */

static bool head_is_right(struct webhook *hook, struct httpd_exchange *x)
{
    static const struct http_header close = { "Connection", "close" };

    if (x->fault)
        refuse_webhook_request(hook, x, x->fault_status, &close, x->fault);
    else if (x->head_bytes > WEBHOOK_HEAD)
        refuse_webhook_request(hook, x, 431, NULL, "The headers of the request are too long");
    return !x->fault && x->head_bytes <= WEBHOOK_HEAD;
}

/* True if the request is from a page of this machine, from an allowed one, or from none. Browsers
 * send no Origin with a GET that a page makes by an image, a frame or a script, but they say by
 * Sec-Fetch-Site ("Fetch Metadata Request Headers" of the W3C) that another host's page did, and
 * by Referer which, unless the page hides that. */
static bool is_from_allowed_page(struct webhook *hook, struct httpd_exchange *x,
                                 const struct origin_rule *rule)
{
    const char *origin = hook->api->header(x, "Origin", NULL);
    const char *site = hook->api->header(x, "Sec-Fetch-Site", NULL);
    const char *referer = hook->api->header(x, "Referer", NULL);

    if (origin)
        return origin_rule_origin(rule, origin);
    if (site && (strcmp(site, "none") == 0 || strcmp(site, "same-origin") == 0))
        return true;
    if (referer)
        return origin_rule_page(rule, referer);
    return !site || origin_rule_origin(rule, "");
}

static bool origin_is_right(struct webhook *hook, struct httpd_exchange *x)
{
    struct origin_rule rule = { &hook->address, hook->hosts, hook->origins,
                                hook->options.host_count, hook->options.origin_count };
    const char *host = hook->api->header(x, "Host", NULL);

    if (!host || !authority_is_plain(str_from(host)))
        refuse_webhook_request(hook, x, 400, NULL,
                               "Host is missing or is not a name with an optional port");
    else if (!origin_rule_host(&rule, host))
        refuse_webhook_request(hook, x, 403, NULL, "This Host is not allowed");
    else if (!is_from_allowed_page(hook, x, &rule))
        refuse_webhook_request(hook, x, 403, NULL, "This Origin is not allowed");
    else
        return true;
    return false;
}

static bool method_is_right(struct webhook *hook, struct httpd_exchange *x)
{
    struct http_header allow = { "Allow", NULL };
    struct buf names = { 0 };

    for (size_t i = 0; i < hook->options.method_count; i++)
        if (strcmp(hook->methods[i], x->method) == 0)
            return true;
    for (size_t i = 0; i < hook->options.method_count; i++)
        buf_addf(&names, "%s%s", i ? ", " : "", hook->methods[i]);
    allow.value = buf_text(&names);
    refuse_webhook_request(hook, x, 405, &allow, "This method is not allowed");
    buf_free(&names);
    return false;
}

/* Does the header show the secret itself? */
static bool shows_secret(struct webhook *hook, struct httpd_exchange *x)
{
    struct str given;
    bool again;

    return bearer_token(hook->api->header(x, "Authorization", &again), &given) && !again &&
           crypto_same(given, buf_str(&hook->secret));
}

static bool is_signed(struct webhook *hook, struct httpd_exchange *x)
{
    const char *given = hook->api->header(x, hook->signature_header, NULL);
    struct str key = buf_str(&hook->secret);
    unsigned char out[DIGEST_MAX];
    struct buf digits = { 0 };
    struct digest digest;
    struct error err;
    bool same;

    if (!given || !digest_begin(&digest, DIGEST_SHA256, &key, &err))
        return false;
    if (strncmp(given, "sha256=", 7) == 0)
        given += 7;
    digest_add(&digest, x->body);
    buf_hex(&digits, out, digest_end(&digest, out));
    same = crypto_same(str_from(given), buf_str(&digits));
    buf_free(&digits);
    return same;
}

static void refuse_stranger(struct webhook *hook, struct httpd_exchange *x)
{
    static const struct http_header how = { "WWW-Authenticate", "Bearer realm=\"webhook\"" };

    refuse_webhook_request(hook, x, 401, &how, "The secret is missing or wrong");
}

/* At the head: whether it can be shown at all. */
static bool may_show_secret(struct webhook *hook, struct httpd_exchange *x)
{
    if (!hook->secret.len || shows_secret(hook, x) ||
        hook->api->header(x, hook->signature_header, NULL))
        return true;
    refuse_stranger(hook, x);
    return false;
}

static bool queue_has_room(struct webhook *hook, struct httpd_exchange *x)
{
    static const struct http_header later = { "Retry-After", "1" };

    if (!hook->closed && hook->waiting_count < hook->options.queue)
        return true;
    refuse_webhook_request(hook, x, 503, &later,
                           hook->closed ? "The listener is closed"
                                        : "Too many requests are waiting");
    return false;
}

/* A body that is announced too long is not waited for. */
static bool length_is_right(struct webhook *hook, struct httpd_exchange *x)
{
    static const struct http_header close = { "Connection", "close" };
    const char *length = hook->api->header(x, "Content-Length", NULL);

    if (!length || strtoull(length, NULL, 10) <= hook->options.body_bytes)
        return true;
    x->fault = "The body of the request is too long";
    x->fault_status = 413;
    refuse_webhook_request(hook, x, x->fault_status, &close, x->fault);
    return false;
}

static void on_exchange_head(struct httpd_exchange *x)
{
    struct webhook *hook = x->arg;

    hook->exchanges++;
    if (!head_is_right(hook, x) || !origin_is_right(hook, x))
        return;
    if (hook->path && strcmp(hook->path, x->path) != 0)
        refuse_webhook_request(hook, x, 404, NULL, "There is nothing at this path");
    else if (method_is_right(hook, x) && may_show_secret(hook, x) && length_is_right(hook, x))
        queue_has_room(hook, x);
}

/* --- requests -------------------------------------------------------------------------------- */

static void on_request_late(void *arg)
{
    struct webhook_request *request = arg;

    request->timer = NULL;
    request->answered = true;
    refuse_webhook_request(request->hook, request->x, 504, NULL, "There was no answer in time");
}

static void on_exchange_ready(struct httpd_exchange *x, enum httpd_body body)
{
    struct webhook *hook = x->arg;
    struct webhook_request *request;

    if (body == HTTPD_BODY_TOO_LARGE) {
        refuse_webhook_request(hook, x, 413, NULL, "The body of the request is too long");
        return;
    }
    if (hook->secret.len && !shows_secret(hook, x) && !is_signed(hook, x)) {
        refuse_stranger(hook, x);
        return;
    }
    if (!queue_has_room(hook, x))
        return;
    request = mem_zero(sizeof *request);
    request->hook = hook;
    request->x = x;
    request->timer = timer_after(hook->loop, hook->options.answer_ms, on_request_late, request);
    x->user = request;
    list_push(&hook->waiting, &request->link);
    hook->waiting_count++;
    hook->options.arrived(hook->options.arg);
}

/* Its answer is given now. */
static void webhook_request_settle(struct webhook_request *request)
{
    timer_forget(request->timer);
    request->timer = NULL;
    request->answered = true;
}

static void leave_queue(struct webhook_request *request)
{
    if (request->holder == IN_QUEUE)
        request->hook->waiting_count--;
    list_remove(&request->link);
}

static void webhook_finish(void *arg);

static void on_exchange_over(struct httpd_exchange *x, bool sent)
{
    struct webhook *hook = x->arg;
    struct webhook_request *request = x->user;

    (void)sent;
    hook->exchanges--;
    if (request) {
        leave_queue(request);
        timer_forget(request->timer);
        request->timer = NULL;
        request->x = NULL;
        if (request->holder != WITH_TAKER)
            free(request);
    }
    if (!hook->closed || hook->finishing || hook->exchanges)
        return;
    timer_forget(hook->end);
    hook->end = timer_after(hook->loop, 0, webhook_finish, hook);
}

bool webhook_has_request(const struct webhook *hook)
{
    return !list_empty(&hook->waiting);
}

struct webhook_request *webhook_take(struct webhook *hook)
{
    struct webhook_request *request;

    if (list_empty(&hook->waiting))
        return NULL;
    request = container_of(hook->waiting.next, struct webhook_request, link);
    leave_queue(request);
    request->holder = WITH_TAKER;
    list_push(&hook->taken, &request->link);
    return request;
}

const char *webhook_method(const struct webhook_request *request)
{
    return request->x->method;
}

const char *webhook_path(const struct webhook_request *request)
{
    return request->x->path;
}

struct str webhook_body(const struct webhook_request *request)
{
    return request->x->body;
}

void webhook_head(const struct webhook_request *request, struct buf *headers, struct buf *query)
{
    request->hook->api->headers(request->x, headers);
    request->hook->api->query(request->x, query);
}

bool webhook_answer(struct webhook_request *request, int status, const struct http_headers *headers,
                    struct buf *body)
{
    if (!request->x || request->answered) {
        buf_free(body);
        return false;
    }
    webhook_request_settle(request);
    answer_exchange(request->hook, request->x, status, headers, body);
    return true;
}

void webhook_request_free(struct webhook_request *request)
{
    if (!request)
        return;
    if (request->x && !request->answered) {
        webhook_request_settle(request);
        refuse_webhook_request(request->hook, request->x, 500, NULL,
                               "The request was not answered");
    }
    request->holder = GIVEN_BACK;
    if (!request->x)
        free(request);
}

/* --- the listener ---------------------------------------------------------------------------- */

static void free_webhook(struct webhook *hook)
{
    http_address_free(&hook->address);
    mem_strings_free(hook->methods);
    mem_strings_free(hook->hosts);
    mem_strings_free(hook->origins);
    free(hook->path);
    free(hook->signature_header);
    if (hook->secret.data)
        crypto_wipe(hook->secret.data, hook->secret.len);
    buf_free(&hook->secret);
    free(hook);
}

/* Names are not resolved, which could take long. */
static bool parse_address(struct http_address *address, const char *host, unsigned port,
                          struct error *err)
{
    unsigned char bytes[16];
    char text[80];
    bool six = inet_pton(AF_INET6, host, bytes) == 1;

    if (!six && inet_pton(AF_INET, host, bytes) != 1 && strcmp(host, "*") != 0 &&
        strcmp(host, "localhost") != 0)
        return error_set(err, "bad_address",
                         "\"%.100s\" is not an address to listen on. Use an IP address, \"*\" or "
                         "\"localhost\"",
                         host);
    snprintf(text, sizeof text, six ? "[%s]:%u" : "%s:%u", host, port);
    return http_address_parse(address, text, err);
}

static struct webhook *hook_new(uv_loop_t *loop, const struct webhook_options *options,
                                const struct httpd_api *api)
{
    struct webhook *hook = mem_zero(sizeof *hook);

    hook->loop = loop;
    hook->api = api;
    hook->options = *options;
    hook->path = options->path ? mem_strdup(options->path) : NULL;
    hook->signature_header = mem_strdup(options->signature_header);
    hook->methods = mem_strings_copy(options->methods, options->method_count);
    hook->hosts = mem_strings_copy(options->hosts, options->host_count);
    hook->origins = mem_strings_copy(options->origins, options->origin_count);
    buf_add(&hook->secret, options->secret.ptr, options->secret.len);
    list_init(&hook->waiting);
    list_init(&hook->taken);
    return hook;
}

static bool webhook_listen(struct webhook *hook, struct error *err)
{
    struct httpd_options options = { .connections = WEBHOOK_CONNECTIONS,
                                     .header_bytes = WEBHOOK_HEAD,
                                     .body_bytes = hook->options.body_bytes,
                                     .head_seconds = HEAD_SECONDS,
                                     .idle_seconds = IDLE_SECONDS,
                                     .rate = SLOW_BYTES,
                                     .events = { .head = on_exchange_head,
                                                 .ready = on_exchange_ready,
                                                 .over = on_exchange_over },
                                     .arg = hook };

    options.fd = http_listen(&hook->address, err);
    if (options.fd < 0)
        return false;
    hook->httpd = hook->api->open(hook->loop, &options, err);
    return hook->httpd != NULL;
}

struct webhook *webhook_open(uv_loop_t *loop, const struct webhook_options *options,
                             struct error *err)
{
    const struct httpd_api *api = module_symbol("microhttpd", "httpd_api", err);
    struct webhook *hook;

    if (!api || (options->secret.len && !digest_ready(err)))
        return NULL;
    hook = hook_new(loop, options, api);
    if (parse_address(&hook->address, options->address ? options->address : "127.0.0.1",
                      options->port, err) &&
        webhook_listen(hook, err))
        return hook;
    free_webhook(hook);
    return NULL;
}

unsigned webhook_port(const struct webhook *hook)
{
    return hook->address.port;
}

/* Every exchange is over when the module's listener is closed. */
static void webhook_finish(void *arg)
{
    struct webhook *hook = arg;

    hook->finishing = true;
    hook->api->close(hook->httpd);
    free_webhook(hook);
}

static void refuse_requests(struct webhook *hook, struct link *requests)
{
    static const struct http_header close = { "Connection", "close" };

    list_each (link, requests) {
        struct webhook_request *request = container_of(link, struct webhook_request, link);

        if (request->answered)
            continue;
        webhook_request_settle(request);
        refuse_webhook_request(hook, request->x, 503, &close, "The listener is closed");
    }
}

void webhook_close(struct webhook *hook)
{
    if (!hook)
        return;
    hook->closed = true;
    hook->api->stop(hook->httpd);
    refuse_requests(hook, &hook->waiting);
    refuse_requests(hook, &hook->taken);
    hook->end = timer_after(hook->loop, hook->exchanges ? DRAIN_MS : 0, webhook_finish, hook);
}
