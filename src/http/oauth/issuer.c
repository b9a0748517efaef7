/* Metadata, then keys; one fetch at a time. */
#include "http/oauth/issuer.h"

#include <stdlib.h>
#include <strings.h>

#include "base/log.h"
#include "http/authority.h"
#include "http/client/request.h"
#include "json/document.h"

enum { PLACES = 3, METADATA_BYTES = 128 * 1024, TOTAL_MS = 5000 };

struct issuer {
    uv_loop_t *loop;
    struct http_client *client;
    char *url;
    uint64_t again_ms;
    void (*fetched)(void *arg);
    void *arg;

    struct jwks *keys; /* NULL: none yet */
    unsigned version;
    uint64_t tried, got; /* ms: when the last fetch began or ended; when keys came */
    bool ever, failed;
    struct error why;

    struct http_fetch *http; /* NULL: no fetch is under way */
    unsigned place;          /* the place of the metadata that is tried; PLACES: the keys */
};

static bool try_place(struct issuer *issuer, struct error *err);

/* --- addresses ------------------------------------------------------------------------------- */

static enum host_scope url_host_scope(const char *url)
{
    return host_scope(authority_host(url_authority(url)));
}

/* A server elsewhere must not send us to this machine, or into its network. */
static bool is_nearer(const char *url, const char *from)
{
    return url_host_scope(url) > url_host_scope(from);
}

/* http is for this machine only, where nobody can listen in between. */
static bool is_safe_url(const char *url)
{
    if (strncasecmp(url, "https://", 8) == 0)
        return url[8] && !strchr("/?#:@", url[8]);
    return strncasecmp(url, "http://", 7) == 0 && host_is_local(authority_host(url_authority(url)));
}

bool issuer_url_ok(const char *url, struct error *err)
{
    bool visible = true;

    for (const char *at = url; *at; at++)
        visible &=
            (unsigned char)*at > 0x20 && (unsigned char)*at < 0x7f && !strchr("\"\\?#@", *at);
    if (visible && is_safe_url(url))
        return true;
    return error_set(err, "bad_url",
                     "'%.200s' is not the URL of an issuer. Use https (or http on this machine), "
                     "without user, query and fragment",
                     url);
}

/* Where metadata may be (RFC 8414, 3.1 and 5; OpenID Connect Discovery, 4.1). */
static char *place_url(const char *url, unsigned place)
{
    size_t len = strlen(url), origin;

    while (len && url[len - 1] == '/')
        len--;
    origin = (size_t)(url_after_scheme(url) - url);
    origin += strcspn(url + origin, "/");
    if (place == 2)
        return mem_printf("%.*s/.well-known/openid-configuration", (int)len, url);
    return mem_printf("%.*s/.well-known/%s%.*s", (int)origin, url,
                      place == 0 ? "oauth-authorization-server" : "openid-configuration",
                      (int)(len > origin ? len - origin : 0), url + origin);
}

/* --- one fetch ------------------------------------------------------------------------------- */

static void issuer_finish(struct issuer *issuer, struct jwks *keys, const struct error *why)
{
    issuer->failed = keys == NULL;
    issuer->tried = uv_now(issuer->loop);
    if (keys) {
        jwks_free(issuer->keys);
        issuer->keys = keys;
        issuer->version++;
        issuer->got = uv_now(issuer->loop);
        log_debug("http: %zu keys of %s", jwks_count(keys), issuer->url);
    } else {
        issuer->why = *why;
        log_warn("http: cannot fetch the keys of %s: %s", issuer->url, why->text);
    }
    issuer->fetched(issuer->arg);
}

static void on_keys(void *arg, struct http_result *result)
{
    struct issuer *issuer = arg;
    struct jwks *keys = NULL;
    struct error err = result->error;

    if (result->ok && result->status != 200)
        error_set(&err, "bad_status", "its keys could not be fetched: status %d", result->status);
    else if (result->ok)
        keys = jwks_parse(buf_str(&result->body), &err);
    http_fetch_free(issuer->http);
    issuer->http = NULL;
    issuer_finish(issuer, keys, &err);
}

static bool get_document(struct issuer *issuer, const char *url, size_t bytes,
                         void (*done)(void *arg, struct http_result *result), struct error *err)
{
    static const struct http_header accept = { "Accept", "application/json" };
    struct http_request request = { .url = url,
                                    .headers = { &accept, 1 },
                                    .connect_timeout_ms = TOTAL_MS,
                                    .total_timeout_ms = TOTAL_MS,
                                    .max_response = bytes };
    struct http_events events = { .done = done };

    issuer->http = http_fetch_start(issuer->client, &request, &events, issuer, err);
    return issuer->http != NULL;
}

/* The URL of the keys; free() it. */
static char *read_metadata(const struct issuer *issuer, struct str text, struct error *err)
{
    struct json_doc *doc = json_parse(text.ptr, text.len, NULL, err);
    const cJSON *name = json_get(json_root(doc), "issuer");
    const cJSON *at = json_get(json_root(doc), "jwks_uri");
    char *url = NULL;

    if (!doc)
        return NULL;
    if (!cJSON_IsString(name) || !str_same(json_string(name), str_from(issuer->url)))
        error_set(err, "other_issuer", "its metadata names another issuer, '%.200s'",
                  cJSON_IsString(name) ? name->valuestring : "");
    else if (!cJSON_IsString(at))
        error_set(err, "no_keys", "its metadata does not name the URL of its keys (jwks_uri)");
    else if (!is_safe_url(at->valuestring))
        error_set(err, "bad_url", "the URL of its keys is neither https nor on this machine");
    else if (is_nearer(at->valuestring, issuer->url))
        error_set(err, "bad_url",
                  "the URL of its keys, %.200s, is in this machine or a private network, which an "
                  "issuer elsewhere must not name",
                  at->valuestring);
    else
        url = mem_strdup(at->valuestring);
    json_doc_free(doc);
    return url;
}

static void on_metadata(void *arg, struct http_result *result)
{
    struct issuer *issuer = arg;
    struct error err = result->error;
    bool elsewhere = result->ok && result->status != 200 && issuer->place + 1 < PLACES;
    char *url = NULL;

    if (result->ok && result->status == 200)
        url = read_metadata(issuer, buf_str(&result->body), &err);
    else if (result->ok)
        error_set(&err, "bad_status", "its metadata could not be fetched: status %d",
                  result->status);
    http_fetch_free(issuer->http);
    issuer->http = NULL;
    if (url) {
        if (!get_document(issuer, url, JWKS_BYTES, on_keys, &err))
            issuer_finish(issuer, NULL, &err);
    } else if (elsewhere) {
        issuer->place++;
        if (!try_place(issuer, &err))
            issuer_finish(issuer, NULL, &err);
    } else {
        issuer_finish(issuer, NULL, &err);
    }
    free(url);
}

static bool try_place(struct issuer *issuer, struct error *err)
{
    char *url = place_url(issuer->url, issuer->place);
    bool begun = get_document(issuer, url, METADATA_BYTES, on_metadata, err);

    free(url);
    return begun;
}

bool issuer_fetch(struct issuer *issuer)
{
    uint64_t now = uv_now(issuer->loop);

    if (issuer->http)
        return true;
    if (issuer->ever && now - issuer->tried < issuer->again_ms)
        return false;
    issuer->ever = true;
    issuer->tried = now;
    issuer->place = 0;
    if (try_place(issuer, &issuer->why))
        return true;
    issuer->failed = true;
    log_warn("http: cannot fetch the keys of %s: %s", issuer->url, issuer->why.text);
    return false;
}

/* --- what is known --------------------------------------------------------------------------- */

const struct jwks *issuer_keys(struct issuer *issuer)
{
    uint64_t age = uv_now(issuer->loop) - issuer->got;

    if (!issuer->keys)
        return NULL;
    if (age > ISSUER_FRESH_MS)
        issuer_fetch(issuer);
    return age > ISSUER_KEPT_MS ? NULL : issuer->keys;
}

const struct error *issuer_failed(const struct issuer *issuer)
{
    return issuer->failed ? &issuer->why : NULL;
}

unsigned issuer_version(const struct issuer *issuer)
{
    return issuer->version;
}

const char *issuer_url(const struct issuer *issuer)
{
    return issuer->url;
}

struct issuer *issuer_new(uv_loop_t *loop, const char *url, uint64_t again_ms,
                          void (*fetched)(void *arg), void *arg)
{
    struct issuer *issuer = mem_zero(sizeof *issuer);

    issuer->loop = loop;
    issuer->client = http_client_new(loop);
    issuer->url = mem_strdup(url);
    issuer->again_ms = again_ms ? again_ms : ISSUER_AGAIN_MS;
    issuer->fetched = fetched;
    issuer->arg = arg;
    issuer_fetch(issuer);
    return issuer;
}

void issuer_free(struct issuer *issuer)
{
    if (!issuer)
        return;
    http_fetch_free(issuer->http);
    http_client_free(issuer->client);
    jwks_free(issuer->keys);
    free(issuer->url);
    free(issuer);
}
