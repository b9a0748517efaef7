/* Who may ask: Host and Origin against pages that rebind names, the token against everybody else.
 *
 * A browser sends the name that a page was loaded from. A page that made its name point at this
 * machine still names itself in Host, and says where it is from in Origin, so both have to be of
 * this machine or allowed (modelcontextprotocol.io, "Transports", security). */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/log.h"
#include "mcp/server/http/endpoint_impl.h"
#include "mcp/server/http/token_file.h"

enum { TOKEN_LOOK_MS = 1000 };

struct http_listener *http_listener_of(struct httpd_exchange *x)
{
    return x->arg;
}

/* --- names ------------------------------------------------------------------------------ */

/* "name", "name:80", "[::1]:80" -> the name without port and brackets; empty if it is none. */
static struct str host_name(const char *text, size_t len)
{
    struct str name = { text, len };
    const char *end;

    if (len && *text == '[') {
        end = memchr(text, ']', len);
        if (!end || (end + 1 < text + len && end[1] != ':'))
            return (struct str){ 0 };
        return (struct str){ text + 1, (size_t)(end - text - 1) };
    }
    end = memchr(text, ':', len);
    if (end)
        name.len = (size_t)(end - text);
    return name;
}

static bool same_name(struct str name, const char *other)
{
    return name.len && strlen(other) == name.len && strncasecmp(name.ptr, other, name.len) == 0;
}

static bool is_address(struct str name)
{
    unsigned char bytes[16];
    char text[64];

    if (!name.len || name.len >= sizeof text)
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

static bool this_machine(struct str name)
{
    return same_name(name, "localhost") || same_name(name, "127.0.0.1") || same_name(name, "::1");
}

bool guard_this_machine(const char *host)
{
    return this_machine(host_name(host, strlen(host)));
}

struct str guard_host_name(const char *host)
{
    return host_name(host, strlen(host));
}

/* Is the text, or the name in it, in this list? */
static bool listed(char *const *list, size_t count, const char *text, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(list[i], text) == 0 || same_name(name, list[i]) || strcmp(list[i], "*") == 0)
            return true;
    return false;
}

static bool host_ok(struct http_server *http, struct httpd_exchange *x, const char *host)
{
    const struct http_address *address = &http_listener_of(x)->address;
    struct str name = host_name(host, strlen(host));

    if (address->socket || this_machine(name) ||
        listed(http->hosts, http->options.host_count, host, name))
        return true;
    if (address->any) /* a page cannot make an address point elsewhere */
        return is_address(name);
    return address->host && same_name(name, address->host);
}

static bool origin_ok(struct http_server *http, const char *origin)
{
    const char *at = strstr(origin, "://");
    struct str name = { 0 };

    if (at && (strncmp(origin, "http://", 7) == 0 || strncmp(origin, "https://", 8) == 0))
        name = host_name(at + 3, strlen(at + 3));
    if (name.len && this_machine(name))
        return true;
    return listed(http->origins, http->options.origin_count, origin, name);
}

const char *guard_allowed_origin(struct http_server *http, struct httpd_exchange *x)
{
    const char *origin = http->api->header(x, "Origin", NULL);

    return origin && origin_ok(http, origin) ? origin : NULL;
}

bool guard_origin(struct http_server *http, struct httpd_exchange *x)
{
    bool again;
    const char *host = http->api->header(x, "Host", &again);
    const char *origin = http->api->header(x, "Origin", NULL);

    if (!host || again || !host_ok(http, x, host)) {
        answer_refusal(http, x, 403, RPC_INVALID_REQUEST, NULL,
                       "Host '%.100s' is not allowed here; a proxy's name is allowed by "
                       "--allow-host NAME",
                       host ? host : "");
        return false;
    }
    if (origin && !origin_ok(http, origin)) {
        answer_refusal(
            http, x, 403, RPC_INVALID_REQUEST, NULL,
            "Origin '%.100s' is not allowed here; it is allowed by --allow-origin %.100s", origin,
            origin);
        return false;
    }
    return true;
}

/* --- the token ---------------------------------------------------------------------------- */

/* Takes over what the file holds now, if it changed; looks at most once a second. */
static void refresh_token(struct http_server *http)
{
    struct http_token *token = &http->token;
    uint64_t now = uv_now(http->loop);
    struct error err;
    struct stat st;
    char *text;

    if (!token->file || (token->looked && now - token->looked < TOKEN_LOOK_MS))
        return;
    token->looked = now ? now : 1;
    if (stat(token->file, &st) != 0 ||
        (token->text && st.st_ctime == token->changed[0] &&
         (int64_t)st.st_ino == token->changed[1] && st.st_size == token->size))
        return;
    token->changed[0] = st.st_ctime; /* a change of its mode counts, too */
    token->changed[1] = (int64_t)st.st_ino;
    token->size = st.st_size;
    text = http_token_read(token->file, &err);
    if (!text) {
        log_warn("http: the token in use stays: %s", err.text);
        return;
    }
    if (token->text && strcmp(token->text, text) != 0)
        log_info("http: the token was changed");
    free(token->text);
    token->text = text;
    log_add_secret(text);
}

static bool bearer(const char *header, struct str *token)
{
    if (!header || strncasecmp(header, "Bearer ", 7) != 0)
        return false;
    header += 7;
    while (*header == ' ')
        header++;
    *token = str_from(header);
    return token->len > 0;
}

enum guard guard_token(struct http_server *http, struct httpd_exchange *x)
{
    struct answer_headers headers = { 0 };
    bool own = http->token.text || http->token.file;
    struct str given;
    bool shown, again;

    http->who = NULL;
    if (http_listener_of(x)->address.socket || (!own && !http->oauth))
        return GUARD_ENTER;
    refresh_token(http);
    shown = bearer(http->api->header(x, "Authorization", &again), &given) && !again;
    if (shown && http->token.text && crypto_same(given, str_from(http->token.text)))
        return GUARD_ENTER;
    if (http->oauth && shown)
        return oauth_check(http, x, given);
    if (http->oauth) {
        oauth_challenge(http, x, NULL, NULL);
        return GUARD_ANSWERED;
    }
    answer_header(&headers, "WWW-Authenticate",
                  shown ? "Bearer realm=\"perigee\", error=\"invalid_token\""
                        : "Bearer realm=\"perigee\"");
    answer_refusal(http, x, 401, RPC_INVALID_REQUEST, &headers,
                   shown ? "The token is not the one of this server; `perigee token` prints it"
                         : "A token is needed: send \"Authorization: Bearer TOKEN\"; `perigee "
                           "token` prints it");
    return GUARD_ANSWERED;
}
