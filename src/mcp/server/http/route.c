/* Finds the function that answers a request. */
#include "mcp/server/http/route.h"

#include "mcp/server/http/answer.h"
#include "mcp/server/http/get.h"
#include "mcp/server/http/guard.h"
#include "mcp/server/http/metrics.h"
#include "mcp/server/http/oauth.h"
#include "mcp/server/http/origin.h"
#include "mcp/server/http/post.h"
#include "mcp/server/http/stream.h"
#include "mcp/versions.h"
#include "registry/call/record.h"

static void answer_preflight(struct http_server *http, struct httpd_exchange *x)
{
    struct answer_headers headers = { 0 };
    const char *wanted = http->api->header(x, "Access-Control-Request-Headers", NULL);

    answer_header(&headers, "Allow", "POST, GET, DELETE, OPTIONS");
    if (origin_allowed(http, x)) {
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
    answer_refusal(http, x, 405, RPC_INVALID_REQUEST, &headers,
                   "%s is not allowed for this path. Use %s", x->method, allowed);
}

static bool same_text(const char *text, const char *other)
{
    return strcmp(text, other) == 0;
}

static bool is_modern_request(struct http_server *http, struct httpd_exchange *x)
{
    const char *version = http->api->header(x, "MCP-Protocol-Version", NULL);

    return version && same_text(version, MCP_MODERN);
}

static void answer_plain(struct http_server *http, struct httpd_exchange *x, int status,
                         const char *text)
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
    answer_refusal(http, x, 503, RPC_SERVER_ERROR, &headers,
                   "The server is shutting down. Try again later");
}

static void answer_metrics(struct http_server *http, struct httpd_exchange *x)
{
    struct buf body = { 0 };

    http_metrics(http, &body);
    answer(http, x, 200, "text/plain; version=0.0.4; charset=utf-8", &body, NULL);
}

/* The paths beside the endpoint. False: it is none of them. */
static bool side_path(struct http_server *http, struct httpd_exchange *x)
{
    bool health = same_text(x->path, "/healthz"), metadata = oauth_metadata_path(http, x);

    if (!health && !metadata && !same_text(x->path, "/metrics"))
        return false;
    if (metadata && same_text(x->method, "OPTIONS"))
        answer_preflight(http, x);
    else if (!same_text(x->method, "GET") && !same_text(x->method, "HEAD"))
        refuse_method(http, x, "GET, HEAD");
    else if (health)
        answer_plain(http, x, http->draining ? 503 : 200, http->draining ? "draining\n" : "ok\n");
    else if (metadata)
        oauth_metadata(http, x);
    else if (guard_token(http, x) == ADMIT_YES)
        answer_metrics(http, x);
    return true;
}

/* Refuses a head that another reader may understand otherwise. */
static bool head_is_right(struct http_server *http, struct httpd_exchange *x)
{
    struct answer_headers headers = { 0 };

    if (!x->fault)
        return true;
    answer_header(&headers, "Connection", "close"); /* where it ends is not sure either */
    if (x->fault_status == 414 || x->fault_status == 431)
        answer_refusal(http, x, x->fault_status, RPC_INVALID_REQUEST, &headers,
                       "%s (limit: %zu bytes). Send less", x->fault, http->options.header_bytes);
    else
        answer_refusal(http, x, x->fault_status, RPC_INVALID_REQUEST, &headers, "%s%s",
                       x->fault_status == 400 ? "The request is malformed. " : "", x->fault);
    return false;
}

/* Later heads of a connection that are much too large never come here: libmicrohttpd has no room
 * for them. */
static bool head_fits(struct http_server *http, struct httpd_exchange *x)
{
    if (x->head_bytes <= http->options.header_bytes)
        return true;
    answer_refusal(http, x, 431, RPC_INVALID_REQUEST, NULL,
                   "The request's headers have %zu bytes (limit: %zu). Send fewer", x->head_bytes,
                   http->options.header_bytes);
    return false;
}

static void on_exchange_head(struct httpd_exchange *x)
{
    struct http_listener *listener = x->arg;
    struct http_server *http = listener->http;

    http->requests++;
    if (!head_is_right(http, x) || !head_fits(http, x) || !guard_origin(http, x) ||
        side_path(http, x))
        return;
    if (!same_text(x->path, listener->address.path)) {
        answer_refusal(http, x, 404, RPC_INVALID_REQUEST, NULL,
                       "There is nothing at this path. Use %s", listener->address.path);
    } else if (same_text(x->method, "OPTIONS")) {
        answer_preflight(http, x);
    } else if (!same_text(x->method, "POST") &&
               (is_modern_request(http, x) ||
                (!same_text(x->method, "GET") && !same_text(x->method, "DELETE")))) {
        refuse_method(http, x,
                      is_modern_request(http, x) ? "POST, OPTIONS" : "POST, GET, DELETE, OPTIONS");
    } else if (guard_token(http, x) == ADMIT_ANSWERED) {
        /* answered */
    } else if (http->draining) {
        refuse_drained(http, x);
    } else if (same_text(x->method, "POST")) {
        http_check_post(http, x);
    }
}

/* The guard again: what it knew at the head may be gone, and who asks is said for this turn only.
 */
void http_serve(struct http_server *http, struct httpd_exchange *x, enum httpd_body body)
{
    enum admission admission = http->oauth ? guard_token(http, x) : ADMIT_YES;

    if (admission == ADMIT_ANSWERED)
        return;
    if (admission == ADMIT_WAIT)
        oauth_park(http, x, body);
    else if (body == HTTPD_BODY_TOO_LARGE)
        answer_too_large(http, x);
    else if (same_text(x->path, "/metrics"))
        answer_metrics(http, x);
    else if (same_text(x->method, "POST"))
        http_post(http, x);
    else if (same_text(x->method, "GET"))
        http_get(http, x);
    else
        http_delete(http, x);
}

static void on_exchange_ready(struct httpd_exchange *x, enum httpd_body body)
{
    http_serve(http_listener_of(x)->http, x, body);
}

static void on_exchange_over(struct httpd_exchange *x, bool sent)
{
    (void)sent;
    if (!oauth_left(http_listener_of(x)->http, x) && x->user)
        stream_left(x->user);
}

/* Calls are recorded together where the turn before had several: one alone would only wait. */
static void on_turn(bool begins)
{
    static uint64_t before;
    static bool several;

    if (!begins) {
        record_release();
        several = record_last() > before + 1;
        return;
    }
    before = record_last();
    if (several)
        record_hold();
}

const struct httpd_events http_route = { on_exchange_head, on_exchange_ready, on_exchange_over,
                                         on_turn };
