/* This server as an OAuth resource server: tokens of one issuer, and where to get them (RFC 6750,
 * RFC 9728; modelcontextprotocol.io, "Authorization").
 *
 * A token that was verified is remembered by its digest until it expires or the issuer's keys
 * change. A request whose token cannot be judged yet waits, whole, until the keys are there. */
#include "mcp/server/http/oauth.h"

#include <stdlib.h>
#include <time.h>

#include "base/crypto.h"
#include "http/authority.h"
#include "http/oauth/issuer.h"
#include "http/oauth/jwt.h"
#include "json/writer.h"
#include "mcp/server/http/answer.h"
#include "mcp/server/http/origin.h"

enum { TOKENS_KEPT = 128, EXCHANGES_PARKED_MAX = 64 };

#define WELL_KNOWN "/.well-known/oauth-protected-resource"

struct kept_token {
    unsigned char digest[CRYPTO_SHA256];
    unsigned version;         /* version of the keys */
    struct jwt_claims claims; /* no subject: the place is free */
};

struct parked_exchange {
    struct link link;
    struct httpd_exchange *x;
    enum httpd_body body;
};

struct http_oauth {
    struct http_server *http;
    oauth_serve *serve;
    struct issuer *issuer;
    char **audiences, **scopes;
    size_t audience_count, scope_count;
    struct link parked;
    size_t parked_count;
    struct kept_token kept[TOKENS_KEPT];
};

/* --- what we are ------------------------------------------------------------------------- */

/* The address that this request's client knows us by. Only names that no other machine can have are
 * taken from Host: a token for another server must not count here because its name was sent. */
static char *resource_of(struct http_server *http, struct httpd_exchange *x)
{
    const struct http_address *address = &http_listener_of(x)->address;
    const char *host = http->api->header(x, "Host", NULL);
    struct str name = str_from(address->host);
    bool six;

    if (http->oauth->audience_count)
        return mem_strdup(http->oauth->audiences[0]);
    if (host && address->loopback && host_is_local(authority_host(str_from(host))))
        name = authority_host(str_from(host));
    six = name.len && memchr(name.ptr, ':', name.len);
    return mem_printf("%s://%s%.*s%s:%u%s", http->options.certificate ? "https" : "http",
                      six ? "[" : "", (int)name.len, name.ptr, six ? "]" : "", address->port,
                      address->path);
}

/* Where the path begins; its end if there is none. */
static const char *url_path(const char *url)
{
    const char *at = url_after_scheme(url);

    at += strcspn(at, "/");
    return strcmp(at, "/") == 0 ? at + 1 : at;
}

static void metadata_url(const char *resource, struct buf *out)
{
    const char *at = strstr(resource, "://");
    size_t origin = at ? (size_t)(at + 3 - resource) + strcspn(at + 3, "/") : strlen(resource);

    buf_add(out, resource, origin);
    buf_lit(out, WELL_KNOWN);
    buf_adds(out, url_path(resource));
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
    ours = !*rest || strcmp(rest, address->path) == 0 || strcmp(rest, url_path(resource)) == 0;
    free(resource);
    return ours;
}

static void add_text_list(struct buf *out, const char *name, char *const *list, size_t count)
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
    add_text_list(&body, "authorization_servers", &issuer, 1);
    if (oauth->scope_count)
        add_text_list(&body, "scopes_supported", oauth->scopes, oauth->scope_count);
    buf_lit(&body, ",\"bearer_methods_supported\":[\"header\"],\"resource_name\":\"Perigee\"}");
    answer(http, x, 200, "application/json", &body, NULL);
    free(resource);
    free(issuer);
}

/* --- refusals ---------------------------------------------------------------------------- */

static void refuse_exchange(struct http_server *http, struct httpd_exchange *x, int status,
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
    char *text =
        why ? mem_printf("The token was rejected: %s. Log in at %s again", why, issuer)
            : mem_printf(
                  "A token is required. Log in at %s, then send \"Authorization: Bearer TOKEN\"",
                  issuer);

    refuse_exchange(http, x, 401, error, text);
    free(text);
}

static enum admission no_keys(struct http_server *http, struct httpd_exchange *x, const char *why)
{
    struct answer_headers headers = { 0 };

    answer_header(&headers, "Retry-After", "10");
    answer_refusal(http, x, 503, RPC_SERVER_ERROR, &headers,
                   "The token cannot be verified because the keys of %.200s are not available: %s. "
                   "Try again later",
                   issuer_url(http->oauth->issuer), why);
    return ADMIT_ANSWERED;
}

static enum admission refuse_invalid_token(struct http_server *http, struct httpd_exchange *x,
                                           const char *why)
{
    oauth_challenge(http, x, "invalid_token", why);
    return ADMIT_ANSWERED;
}

/* --- tokens ------------------------------------------------------------------------------ */

/* A token counts for the address that it was shown at. */
static bool token_digest(const char *resource, struct str token,
                         unsigned char digest[CRYPTO_SHA256], struct error *err)
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

static bool knows_token(const struct http_oauth *oauth, const struct kept_token *place,
                        const unsigned char digest[CRYPTO_SHA256], int64_t now)
{
    return place->claims.subject && place->version == issuer_version(oauth->issuer) &&
           now < place->claims.expires + JWT_LEEWAY &&
           crypto_same((struct str){ (const char *)place->digest, CRYPTO_SHA256 },
                       (struct str){ (const char *)digest, CRYPTO_SHA256 });
}

static enum admission admit_claims(struct http_server *http, struct httpd_exchange *x,
                                   const struct jwt_claims *claims)
{
    struct http_oauth *oauth = http->oauth;

    for (size_t i = 0; i < oauth->scope_count; i++) {
        char *text;

        if (jwt_has_scope(claims, oauth->scopes[i]))
            continue;
        text = mem_printf("The token does not have the required scope %s. Log in again with it",
                          oauth->scopes[i]);
        refuse_exchange(http, x, 403, "insufficient_scope", text);
        free(text);
        return ADMIT_ANSWERED;
    }
    http->who = claims->subject;
    return ADMIT_YES;
}

static enum admission handle_unknown_key(struct http_server *http, struct httpd_exchange *x,
                                         const struct error *err)
{
    struct issuer *issuer = http->oauth->issuer;

    if (issuer_fetch(issuer))
        return ADMIT_WAIT;
    if (issuer_failed(issuer))
        return no_keys(http, x, issuer_failed(issuer)->text);
    return refuse_invalid_token(http, x, err->text);
}

static enum admission verify_token(struct http_server *http, struct httpd_exchange *x,
                                   const char *resource, struct str token)
{
    struct http_oauth *oauth = http->oauth;
    const struct jwks *keys = issuer_keys(oauth->issuer);
    struct jwt_wanted wanted = { issuer_url(oauth->issuer), &resource, 1, time(NULL) };
    unsigned char digest[CRYPTO_SHA256];
    struct kept_token *place;
    struct jwt_claims claims;
    struct error err;

    if (oauth->audience_count) {
        wanted.audiences = (const char *const *)oauth->audiences;
        wanted.audience_count = oauth->audience_count;
    }
    if (!token_digest(resource, token, digest, &err))
        return no_keys(http, x, err.text);
    place = &oauth->kept[digest[0] % TOKENS_KEPT];
    if (keys && knows_token(oauth, place, digest, wanted.now))
        return admit_claims(http, x, &place->claims);
    switch (jwt_verify(token, keys, &wanted, &claims, &err)) {
    case JWT_BAD:
        return refuse_invalid_token(http, x, err.text);
    case JWT_UNKNOWN_KEY:
        return handle_unknown_key(http, x, &err);
    case JWT_FAILED:
        return no_keys(http, x, err.text);
    case JWT_GOOD:
        break;
    }
    jwt_claims_clear(&place->claims);
    memcpy(place->digest, digest, sizeof digest);
    place->version = issuer_version(oauth->issuer);
    place->claims = claims;
    return admit_claims(http, x, &place->claims);
}

enum admission oauth_check(struct http_server *http, struct httpd_exchange *x, struct str token)
{
    char *resource;
    enum admission admission;

    if (token.len > JWT_BYTES)
        return refuse_invalid_token(http, x, "it is too long");
    resource = resource_of(http, x);
    admission = verify_token(http, x, resource, token);
    free(resource);
    return admission;
}

/* --- those who wait ---------------------------------------------------------------------- */

void oauth_park(struct http_server *http, struct httpd_exchange *x, enum httpd_body body)
{
    struct http_oauth *oauth = http->oauth;
    struct parked_exchange *parked;

    if (oauth->parked_count == EXCHANGES_PARKED_MAX) {
        no_keys(http, x, "too many requests are waiting for them");
        return;
    }
    parked = mem_zero(sizeof *parked);
    parked->x = x;
    parked->body = body;
    list_push(&oauth->parked, &parked->link);
    oauth->parked_count++;
}

static void forget_parked(struct http_oauth *oauth, struct parked_exchange *parked)
{
    list_remove(&parked->link);
    oauth->parked_count--;
    free(parked);
}

bool oauth_left(struct http_server *http, struct httpd_exchange *x)
{
    if (!http->oauth)
        return false;
    list_each (link, &http->oauth->parked) {
        struct parked_exchange *parked = container_of(link, struct parked_exchange, link);

        if (parked->x != x)
            continue;
        forget_parked(http->oauth, parked);
        return true;
    }
    return false;
}

static void on_fetched(void *arg)
{
    struct http_oauth *oauth = arg;

    for (size_t left = oauth->parked_count; left && oauth->parked_count; left--) {
        struct parked_exchange *parked =
            container_of(oauth->parked.next, struct parked_exchange, link);
        struct httpd_exchange *x = parked->x;
        enum httpd_body body = parked->body;

        forget_parked(oauth, parked);
        oauth->serve(oauth->http, x, body);
    }
}

/* --- its life ---------------------------------------------------------------------------- */

struct http_oauth *oauth_new(struct http_server *http, const struct http_oauth_options *options,
                             oauth_serve *serve)
{
    struct http_oauth *oauth = mem_zero(sizeof *oauth);

    oauth->http = http;
    oauth->serve = serve;
    oauth->audiences = mem_strings_copy(options->audiences, options->audience_count);
    oauth->audience_count = options->audience_count;
    oauth->scopes = mem_strings_copy(options->scopes, options->scope_count);
    oauth->scope_count = options->scope_count;
    list_init(&oauth->parked);
    oauth->issuer = issuer_new(http->loop, options->issuer, (uint64_t)options->again_seconds * 1000,
                               on_fetched, oauth);
    return oauth;
}

void oauth_free(struct http_oauth *oauth)
{
    if (!oauth)
        return;
    issuer_free(oauth->issuer);
    while (oauth->parked_count)
        forget_parked(oauth, container_of(oauth->parked.next, struct parked_exchange, link));
    for (size_t i = 0; i < TOKENS_KEPT; i++)
        jwt_claims_clear(&oauth->kept[i].claims);
    mem_strings_free(oauth->audiences);
    mem_strings_free(oauth->scopes);
    free(oauth);
}
