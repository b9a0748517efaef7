/* Decides about an answer: take it, follow it, or ask again.
 *
 * Redirects are followed here and not by libcurl, because libcurl withholds only Authorization and
 * Cookie from another host, while model providers take their keys in headers of any name. Another
 * origin gets only a short list of harmless headers. */
#include "http/client/rules.h"

#include <stdlib.h>
#include <strings.h>
#include <time.h>

#include "taint/host.h"

uint64_t http_now_ms(void)
{
    return uv_hrtime() / 1000000;
}

static double random_fraction(void)
{
    uint32_t bits = 0;

    uv_random(NULL, NULL, &bits, sizeof bits, 0, NULL);
    return bits / 4294967296.0;
}

bool http_may_retry(struct http_fetch *h, const uint64_t *asked_ms)
{
    const struct http_request *spec = &h->spec;
    uint64_t spent = http_now_ms() - h->started;

    if (h->result.attempts >= spec->retry.max_attempts)
        return false;
    if (asked_ms)
        h->wait_ms = retry_asked_ms(&spec->retry, *asked_ms, random_fraction());
    else
        h->wait_ms = retry_backoff_ms(&spec->retry, h->result.attempts, random_fraction());
    return !spec->total_timeout_ms || spent + h->wait_ms < spec->total_timeout_ms;
}

static bool is_redirect(int status, const struct http_headers *headers)
{
    return (status == 301 || status == 302 || status == 303 || status == 307 || status == 308) &&
           http_header_value(headers, "location");
}

static bool retry_answer(struct http_fetch *h, int status, const struct http_headers *headers)
{
    const char *after = http_header_value(headers, "retry-after");
    uint64_t asked_ms = 0;

    if (!retry_status(status) || !(h->spec.retry_unsafe || retry_method(h->method)))
        return false;
    if (after && !retry_after_parse(str_from(after), (int64_t)time(NULL), &asked_ms))
        after = NULL;
    if (after && asked_ms > h->spec.retry.max_ms)
        return false; /* it is not for us to ask sooner than we were told */
    return http_may_retry(h, after ? &asked_ms : NULL);
}

bool http_judge(struct http_fetch *h, int status, const struct http_headers *headers,
                struct error *err)
{
    h->fate = FATE_DELIVER;
    if (h->spec.max_redirects > 0 && is_redirect(status, headers)) {
        h->fate = FATE_REDIRECT;
        if (h->result.redirects >= h->spec.max_redirects)
            return error_set(
                err, "too_many_redirects",
                "%s redirects more than %u times. Open the URL in a browser to find the loop",
                h->where.host, h->spec.max_redirects);
    } else if (retry_answer(h, status, headers)) {
        h->fate = FATE_RETRY;
        error_set(&h->failure, "bad_status", "%s answered with status %d", h->where.host, status);
    }
    return true;
}

/* --- following ------------------------------------------------------------------ */

static bool is_in_list(const char *name, const char *const *list)
{
    for (; *list; list++) {
        if (strcasecmp(name, *list) == 0)
            return true;
    }
    return false;
}

static void keep_headers(struct header_list *headers, const char *const *list, bool keep)
{
    struct header_list kept = { 0 };

    for (size_t i = 0; i < headers->count; i++) {
        if (is_in_list(headers->items[i].name, list) == keep)
            header_list_add(&kept, headers->items[i].name, headers->items[i].value);
    }
    header_list_free(headers);
    *headers = kept;
}

/* RFC 9110 section 15.4; POST becomes GET as all browsers do. */
static bool becomes_get(const struct http_fetch *h, int status)
{
    bool post = strcmp(h->method, "POST") == 0;
    bool head = strcmp(h->method, "HEAD") == 0 || strcmp(h->method, "GET") == 0;

    return !head && (status == 303 || (post && (status == 301 || status == 302)));
}

static void change_method(struct http_fetch *h, int status)
{
    static const char *const of_body[] = { "content-type",      "content-encoding",
                                           "content-length",    "content-language",
                                           "transfer-encoding", NULL };
    if (!becomes_get(h, status))
        return;
    free(h->method);
    h->method = mem_strdup("GET");
    free(h->body);
    h->body = NULL;
    h->body_len = 0;
    keep_headers(&h->sent, of_body, false);
}

/* A body is for the server that it was sent to, as its secret headers are. */
static bool may_carry(const struct http_fetch *h, const struct net_url *where, struct error *err)
{
    if (strcmp(where->origin, h->where.origin) == 0 || !h->body_len ||
        becomes_get(h, h->result.status))
        return true;
    return error_set(err, "redirected",
                     "%s redirects a %s with a body to another server, %s, which does not get it. "
                     "If you trust it, use its URL",
                     h->where.host, h->method, where->origin);
}

/* The request carries data that is meant for its origin only. */
static bool may_follow(const struct http_fetch *h, const struct net_url *where, struct error *err)
{
    int status = h->result.status;
    bool keeps = status == 307 || status == 308 || strcmp(h->method, "GET") == 0;

    if (strcmp(where->origin, h->where.origin) != 0)
        return error_set(err, "redirected",
                         "%s redirects to another server, %s, which is not followed. If you trust "
                         "it, use its URL",
                         h->where.host, where->origin);
    if (!keeps)
        return error_set(err, "redirected",
                         "%s redirects a %s with status %d, which would turn it into a GET. Use "
                         "the URL that it redirects to",
                         h->where.host, h->method, status);
    return true;
}

/* The host in "https://host:443", in the one spelling that rules of a policy compare. */
static void add_host(struct buf *out, const char *origin)
{
    const char *host = strstr(origin, "://") + 3;

    if (host_spell(out, (struct str){ host, (size_t)(strrchr(host, ':') - host) }) == HOST_NONE)
        buf_adds(out, origin);
}

static bool is_elsewhere(const char *from, const char *to)
{
    struct buf one = { 0 }, other = { 0 };
    bool same;

    add_host(&one, from);
    add_host(&other, to);
    same = str_same(buf_str(&one), buf_str(&other));
    buf_free(&one);
    buf_free(&other);
    return !same;
}

bool http_follow(struct http_fetch *h, const char *url, struct error *err)
{
    static const char *const harmless[] = {
        "accept", "accept-language", "user-agent", "content-type", "cache-control", "range", NULL
    };
    struct net_url where;
    struct error why;

    if (!url || !h->client->api->parse(url, &where, &why))
        return error_set(err, "bad_url", "%s redirects to a URL that cannot be followed: %s",
                         h->where.host, url ? why.text : "it cannot be read");
    if (!may_carry(h, &where, err) || (h->spec.same_origin && !may_follow(h, &where, err))) {
        free(where.origin);
        free(where.host);
        return false;
    }
    if (strcmp(where.origin, h->where.origin) != 0)
        keep_headers(&h->sent, harmless, true);
    h->result.held = h->spec.hold_elsewhere && is_elsewhere(h->where.origin, where.origin);
    free(h->where.origin);
    free(h->where.host);
    h->where = where;
    free(h->from);
    h->from = h->url;
    h->url = mem_strdup(url);
    change_method(h, h->result.status);
    h->result.redirects++;
    return true;
}
