/* This server as an OAuth resource server: tokens of one issuer, and where to get them (RFC 6750,
 * RFC 9728; modelcontextprotocol.io, "Authorization").
 *
 * A token that was verified is remembered by its digest until it expires or the issuer's keys
 * change. A request whose token cannot be judged yet waits, whole, until the keys are there. */
#include <stdlib.h>
#include <time.h>

#include "base/crypto.h"
#include "http/oauth/issuer.h"
#include "http/oauth/jwt.h"
#include "mcp/server/http/endpoint_impl.h"
#include "json/writer.h"

enum { REMEMBERED = 128, WAITERS = 64 };

#define WELL_KNOWN "/.well-known/oauth-protected-resource"

struct remembered {
    unsigned char digest[CRYPTO_SHA256];
    unsigned version;         /* of the keys */
    struct jwt_claims claims; /* no subject: the place is free */
};

struct waiter {
    struct link link;
    struct httpd_exchange *x;
    enum httpd_body body;
};

struct http_oauth {
    struct http_server *http;
    struct issuer *issuer;
    char **audiences, **scopes;
    size_t audience_count, scope_count;
    struct link waiters;
    size_t waiting;
    struct remembered remembered[REMEMBERED];
};

/* --- what we are ------------------------------------------------------------------------- */

/* The address that this request's client knows us by. Only names that nobody else can have are
 * taken from Host: a token for another server must not count here because its name was sent. */
static char *resource_of(struct http_server *http, struct httpd_exchange *x)
{
    const struct http_address *address = &http_listener_of(x)->address;
    const char *host = http->api->header(x, "Host", NULL);
    struct str name = str_from(address->host);
    bool six;

    if (http->oauth->audience_count)
        return mem_strdup(http->oauth->audiences[0]);
    if (host && address->loopback && guard_this_machine(host))
        name = guard_host_name(host);
    six = name.len && memchr(name.ptr, ':', name.len);
    return mem_printf("%s://%s%.*s%s:%u%s", http->options.certificate ? "https" : "http",
                      six ? "[" : "", (int)name.len, name.ptr, six ? "]" : "", address->port,
                      address->path);
}

/* Where the path begins; its end if there is none. */
static const char *path_of(const char *url)
{
    const char *at = strstr(url, "://");

    at = at ? at + 3 : url;
    at += strcspn(at, "/");
    return strcmp(at, "/") == 0 ? at + 1 : at;
}

static void metadata_url(const char *resource, struct buf *out)
{
    const char *at = strstr(resource, "://");
    size_t origin = at ? (size_t)(at + 3 - resource) + strcspn(at + 3, "/") : strlen(resource);

    buf_add(out, resource, origin);
    buf_lit(out, WELL_KNOWN);
    buf_adds(out, path_of(resource));
}

static void scope_words(const struct http_oauth *oauth, struct buf *out)
{
    for (size_t i = 0; i < oauth->scope_count; i++)
        buf_addf(out, "%s%s", i ? " " : "", oauth->scopes[i]);
}

bool oauth_metadata_path(struct http_server *http, struct httpd_exchange *x)
{
    const struct http_address *address = &http_listener_of(x)->address;
    size_t len = sizeof WELL_KNOWN - 1;
    const char *rest;
    char *resource;
    bool ours;

    if (!http->oauth || address->socket || strncmp(x->path, WELL_KNOWN, len) != 0)
        return false;
    rest = x->path + len;
    resource = resource_of(http, x);
    ours = !*rest || strcmp(rest, address->path) == 0 || strcmp(rest, path_of(resource)) == 0;
    free(resource);
    return ours;
}

static void add_list(struct buf *out, const char *name, char *const *list, size_t count)
{
    buf_addf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        if (i)
            buf_addc(out, ',');
        json_write_string(out, list[i], strlen(list[i]));
    }
    buf_addc(out, ']');
}

void oauth_metadata(struct http_server *http, struct httpd_exchange *x)
{
    struct http_oauth *oauth = http->oauth;
    char *resource = resource_of(http, x), *issuer = mem_strdup(issuer_url(oauth->issuer));
    struct buf body = { 0 };

    buf_lit(&body, "{\"resource\":");
    json_write_string(&body, resource, strlen(resource));
    add_list(&body, "authorization_servers", &issuer, 1);
    if (oauth->scope_count)
        add_list(&body, "scopes_supported", oauth->scopes, oauth->scope_count);
    buf_lit(&body, ",\"bearer_methods_supported\":[\"header\"],\"resource_name\":\"Perigee\"}");
    answer(http, x, 200, "application/json", &body, NULL);
    free(resource);
    free(issuer);
}

/* --- refusals ---------------------------------------------------------------------------- */

static void refuse(struct http_server *http, struct httpd_exchange *x, int status,
                   const char *error, const char *text)
{
    struct answer_headers headers = { 0 };
    char *resource = resource_of(http, x);
    struct buf value = { 0 };

    buf_lit(&value, "Bearer ");
    if (error)
        buf_addf(&value, "error=\"%s\", ", error);
    buf_lit(&value, "resource_metadata=\"");
    metadata_url(resource, &value);
    buf_addc(&value, '"');
    if (http->oauth->scope_count) {
        buf_lit(&value, ", scope=\"");
        scope_words(http->oauth, &value);
        buf_addc(&value, '"');
    }
    answer_header(&headers, "WWW-Authenticate", buf_text(&value));
    answer_refusal(http, x, status, RPC_INVALID_REQUEST, &headers, "%s", text);
    buf_free(&value);
    free(resource);
}

void oauth_challenge(struct http_server *http, struct httpd_exchange *x, const char *error,
                     const char *why)
{
    const char *issuer = issuer_url(http->oauth->issuer);
    char *text = why ? mem_printf("The token is refused: %s; log in at %s again", why, issuer)
                     : mem_printf("A token is needed: log in at %s, and send \"Authorization: "
                                  "Bearer TOKEN\"",
                                  issuer);

    refuse(http, x, 401, error, text);
    free(text);
}

static enum guard no_keys(struct http_server *http, struct httpd_exchange *x, const char *why)
{
    struct answer_headers headers = { 0 };

    answer_header(&headers, "Retry-After", "10");
    answer_refusal(http, x, 503, RPC_INTERNAL_ERROR, &headers,
                   "The token cannot be checked now, try again later: the keys of %.200s cannot be "
                   "had: %s",
                   issuer_url(http->oauth->issuer), why);
    return GUARD_ANSWERED;
}

static enum guard invalid(struct http_server *http, struct httpd_exchange *x, const char *why)
{
    oauth_challenge(http, x, "invalid_token", why);
    return GUARD_ANSWERED;
}

/* --- tokens ------------------------------------------------------------------------------ */

/* A token counts for the address that it was shown at. */
static bool digest_of(const char *resource, struct str token, unsigned char digest[CRYPTO_SHA256],
                      struct error *err)
{
    struct buf text = { 0 };
    bool ok;

    buf_add(&text, resource, strlen(resource) + 1);
    buf_add(&text, token.ptr, token.len);
    ok = crypto_sha256(buf_str(&text), digest, err);
    crypto_wipe(text.data, text.len);
    buf_free(&text);
    return ok;
}

static bool knows(const struct http_oauth *oauth, const struct remembered *place,
                  const unsigned char digest[CRYPTO_SHA256], int64_t now)
{
    return place->claims.subject && place->version == issuer_version(oauth->issuer) &&
           now < place->claims.expires + JWT_LEEWAY &&
           crypto_same((struct str){ (const char *)place->digest, CRYPTO_SHA256 },
                       (struct str){ (const char *)digest, CRYPTO_SHA256 });
}

static enum guard admit(struct http_server *http, struct httpd_exchange *x,
                        const struct jwt_claims *claims)
{
    struct http_oauth *oauth = http->oauth;

    for (size_t i = 0; i < oauth->scope_count; i++) {
        char *text;

        if (jwt_has_scope(claims, oauth->scopes[i]))
            continue;
        text = mem_printf("The token does not have the scope %s, which is needed here",
                          oauth->scopes[i]);
        refuse(http, x, 403, "insufficient_scope", text);
        free(text);
        return GUARD_ANSWERED;
    }
    http->who = claims->subject;
    return GUARD_ENTER;
}

static enum guard unknown_key(struct http_server *http, struct httpd_exchange *x,
                              const struct error *err)
{
    struct issuer *issuer = http->oauth->issuer;

    if (issuer_fetch(issuer))
        return GUARD_WAIT;
    if (issuer_failed(issuer))
        return no_keys(http, x, issuer_failed(issuer)->text);
    return invalid(http, x, err->text);
}

static enum guard verify(struct http_server *http, struct httpd_exchange *x, const char *resource,
                         struct str token)
{
    struct http_oauth *oauth = http->oauth;
    const struct jwks *keys = issuer_keys(oauth->issuer);
    struct jwt_wanted wanted = { issuer_url(oauth->issuer), &resource, 1, time(NULL) };
    unsigned char digest[CRYPTO_SHA256];
    struct remembered *place;
    struct jwt_claims claims;
    struct error err;

    if (oauth->audience_count) {
        wanted.audiences = (const char *const *)oauth->audiences;
        wanted.audience_count = oauth->audience_count;
    }
    if (!digest_of(resource, token, digest, &err))
        return no_keys(http, x, err.text);
    place = &oauth->remembered[digest[0] % REMEMBERED];
    if (keys && knows(oauth, place, digest, wanted.now))
        return admit(http, x, &place->claims);
    switch (jwt_verify(token, keys, &wanted, &claims, &err)) {
    case JWT_BAD:
        return invalid(http, x, err.text);
    case JWT_UNKNOWN_KEY:
        return unknown_key(http, x, &err);
    case JWT_FAILED:
        return no_keys(http, x, err.text);
    case JWT_GOOD:
        break;
    }
    jwt_claims_clear(&place->claims);
    memcpy(place->digest, digest, sizeof digest);
    place->version = issuer_version(oauth->issuer);
    place->claims = claims;
    return admit(http, x, &place->claims);
}

enum guard oauth_check(struct http_server *http, struct httpd_exchange *x, struct str token)
{
    char *resource;
    enum guard guard;

    if (token.len > JWT_BYTES)
        return invalid(http, x, "it is too long");
    resource = resource_of(http, x);
    guard = verify(http, x, resource, token);
    free(resource);
    return guard;
}

/* --- those who wait ---------------------------------------------------------------------- */

void oauth_park(struct http_server *http, struct httpd_exchange *x, enum httpd_body body)
{
    struct http_oauth *oauth = http->oauth;
    struct waiter *waiter;

    if (oauth->waiting == WAITERS) {
        no_keys(http, x, "too many requests wait for them");
        return;
    }
    waiter = mem_zero(sizeof *waiter);
    waiter->x = x;
    waiter->body = body;
    list_push(&oauth->waiters, &waiter->link);
    oauth->waiting++;
}

static void forget(struct http_oauth *oauth, struct waiter *waiter)
{
    list_remove(&waiter->link);
    oauth->waiting--;
    free(waiter);
}

bool oauth_left(struct http_server *http, struct httpd_exchange *x)
{
    if (!http->oauth)
        return false;
    list_each (link, &http->oauth->waiters) {
        struct waiter *waiter = container_of(link, struct waiter, link);

        if (waiter->x != x)
            continue;
        forget(http->oauth, waiter);
        return true;
    }
    return false;
}

static void on_fetched(void *arg)
{
    struct http_oauth *oauth = arg;

    for (size_t left = oauth->waiting; left && oauth->waiting; left--) {
        struct waiter *waiter = container_of(oauth->waiters.next, struct waiter, link);
        struct httpd_exchange *x = waiter->x;
        enum httpd_body body = waiter->body;

        forget(oauth, waiter);
        http_serve(oauth->http, x, body);
    }
}

/* --- its life ---------------------------------------------------------------------------- */

struct http_oauth *oauth_new(struct http_server *http, const struct http_oauth_options *options)
{
    struct http_oauth *oauth = mem_zero(sizeof *oauth);

    oauth->http = http;
    oauth->audiences = http_copy_list(options->audiences, options->audience_count);
    oauth->audience_count = options->audience_count;
    oauth->scopes = http_copy_list(options->scopes, options->scope_count);
    oauth->scope_count = options->scope_count;
    list_init(&oauth->waiters);
    oauth->issuer = issuer_new(http->loop, options->issuer, (uint64_t)options->again_seconds * 1000,
                               on_fetched, oauth);
    return oauth;
}

void oauth_free(struct http_oauth *oauth)
{
    if (!oauth)
        return;
    issuer_free(oauth->issuer);
    while (oauth->waiting)
        forget(oauth, container_of(oauth->waiters.next, struct waiter, link));
    for (size_t i = 0; i < REMEMBERED; i++)
        jwt_claims_clear(&oauth->remembered[i].claims);
    http_free_list(oauth->audiences);
    http_free_list(oauth->scopes);
    free(oauth);
}
