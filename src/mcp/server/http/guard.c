/* Host and Origin against pages that rebind names, the token against everybody else. */
#include "mcp/server/http/guard.h"

#include <stdlib.h>

#include "base/crypto.h"
#include "base/log.h"
#include "http/authority.h"
#include "http/server/bearer.h"
#include "mcp/server/http/answer.h"
#include "mcp/server/http/oauth.h"
#include "mcp/server/http/origin.h"
#include "mcp/server/http/token_file.h"

enum { TOKEN_LOOK_MS = 1000 };

bool guard_origin(struct http_server *http, struct httpd_exchange *x)
{
    const char *host = http->api->header(x, "Host", NULL);
    const char *origin = http->api->header(x, "Origin", NULL);

    if (!host || !authority_is_plain(str_from(host))) {
        answer_refusal(http, x, 400, RPC_INVALID_REQUEST, NULL,
                       host ? "Host '%.100s' is not a name with an optional port"
                            : "Host is missing%.0s",
                       host ? host : "");
        return false;
    }
    if (!host_allowed(http, x, host)) {
        answer_refusal(http, x, 403, RPC_INVALID_REQUEST, NULL,
                       "Host '%.100s' is not allowed. To allow a proxy's name, start the server "
                       "with --allow-host NAME",
                       host);
        return false;
    }
    if (origin && !origin_allowed(http, x)) {
        answer_refusal(http, x, 403, RPC_INVALID_REQUEST, NULL,
                       "Origin '%.100s' is not allowed. To allow it, start the server with "
                       "--allow-origin %.100s",
                       origin, origin);
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
    struct stamp stamp;
    struct error err;
    char *text;

    if (!token->file || (token->looked && now - token->looked < TOKEN_LOOK_MS))
        return;
    token->looked = now ? now : 1;
    if (!stamp_look(token->file, &stamp) || (token->text && stamp_same(&stamp, &token->stamp)))
        return;
    token->stamp = stamp;
    text = http_token_read(token->file, &err);
    if (!text) {
        log_warn("http: keeping the token in use: %s", err.text);
        return;
    }
    if (token->text && strcmp(token->text, text) != 0)
        log_info("http: the token was changed");
    free(token->text);
    token->text = text;
    log_add_secret(text);
}

enum admission guard_token(struct http_server *http, struct httpd_exchange *x)
{
    struct answer_headers headers = { 0 };
    bool own = http->token.text || http->token.file;
    struct str given;
    bool shown, again;

    http->who = NULL;
    if (http_listener_of(x)->address.socket || (!own && !http->oauth))
        return ADMIT_YES;
    refresh_token(http);
    shown = bearer_token(http->api->header(x, "Authorization", &again), &given) && !again;
    if (shown && http->token.text && crypto_same(given, str_from(http->token.text)))
        return ADMIT_YES;
    if (http->oauth && shown)
        return oauth_check(http, x, given);
    if (http->oauth) {
        oauth_challenge(http, x, NULL, NULL);
        return ADMIT_ANSWERED;
    }
    answer_header(&headers, "WWW-Authenticate",
                  shown ? "Bearer realm=\"perigee\", error=\"invalid_token\""
                        : "Bearer realm=\"perigee\"");
    answer_refusal(
        http, x, 401, RPC_INVALID_REQUEST, &headers,
        shown
            ? "The token is not valid for this server. Run `perigee token` to print the one that is"
            : "A token is required. Send \"Authorization: Bearer TOKEN\". Run `perigee token` to "
              "print it");
    return ADMIT_ANSWERED;
}
