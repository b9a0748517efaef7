/* From options to an HTTP server. */
#include "cli/commands/serve_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/commands/token.h"
#include "http/oauth/issuer.h"
#include "mcp/server/http/token_file.h"

static bool add(struct args *args, const char *option, const char **list, size_t *count)
{
    const char *value = args_value(args, option);

    if (!value)
        return false;
    if (*count == COMMON_MAX) {
        usage_error("serve", "too many %s", option);
        return false;
    }
    list[(*count)++] = value;
    return true;
}

static bool add_address(struct serve_http *http, struct args *args, const char *option)
{
    const char *value = args_value(args, option);
    struct error err;

    if (!value)
        return false;
    if (http->address_count == SERVE_ADDRESSES) {
        usage_error("serve", "too many --http");
        return false;
    }
    if (!http_address_parse(&http->addresses[http->address_count], value, &err)) {
        usage_error("serve", "%s", err.text);
        return false;
    }
    http->address_count++;
    return true;
}

static bool number(struct args *args, const char *option, size_t max, size_t *out)
{
    const char *text = args_value(args, option);
    char *end;

    if (!text)
        return false;
    *out = strtoul(text, &end, 10);
    if (*end || end == text || *out < 1 || *out > max) {
        usage_error("serve", "the value of %.*s is a number from 1 to %zu",
                    (int)strcspn(option, "="), option, max);
        return false;
    }
    return true;
}

bool serve_http_option(struct serve_http *http, struct args *args, const char *option, bool *taken)
{
    *taken = true;
    if (option_is(option, "--http"))
        return add_address(http, args, option);
    if (option_is(option, "--allow-host"))
        return add(args, option, http->hosts, &http->host_count);
    if (option_is(option, "--allow-origin"))
        return add(args, option, http->origins, &http->origin_count);
    if (option_is(option, "--tls-cert"))
        return (http->certificate = args_value(args, option)) != NULL;
    if (option_is(option, "--tls-key"))
        return (http->key = args_value(args, option)) != NULL;
    if (option_is(option, "--max-connections"))
        return number(args, option, 100000, &http->connections);
    if (option_is(option, "--max-sessions"))
        return number(args, option, 100000, &http->sessions);
    if (option_is(option, "--session-timeout"))
        return number(args, option, (size_t)30 * 86400, &http->session_seconds);
    if (option_is(option, "--head-timeout"))
        return number(args, option, 3600, &http->head_seconds);
    if (option_is(option, "--min-rate"))
        return number(args, option, 1000000000, &http->rate);
    if (option_is(option, "--oauth-issuer"))
        return (http->issuer = args_value(args, option)) != NULL;
    if (option_is(option, "--oauth-audience"))
        return add(args, option, http->audiences, &http->audience_count);
    if (option_is(option, "--oauth-scope"))
        return add(args, option, http->scopes, &http->scope_count);
    if (option_is(option, "--oauth-refetch"))
        return number(args, option, 3600, &http->again_seconds);
    if (strcmp(option, "--no-token") == 0)
        http->no_token = true;
    else if (strcmp(option, "--token") == 0)
        http->with_token = true;
    else
        *taken = false;
    return true;
}

/* RFC 6749, 3.3: what one scope may consist of. */
static bool scope_ok(const char *scope)
{
    for (const char *at = scope; *at; at++)
        if (*at <= 0x20 || *at >= 0x7f || *at == '"' || *at == '\\')
            return false;
    return *scope != '\0';
}

/* An address without query and fragment; it stands in a header. */
static bool address_ok(const char *url)
{
    if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
        return false;
    for (const char *at = url; *at; at++)
        if (*at <= 0x20 || *at >= 0x7f || strchr("\"\\?#@", *at))
            return false;
    return true;
}

static int check_oauth(const struct serve_http *http)
{
    size_t sockets = 0;
    struct error err;

    for (size_t i = 0; i < http->address_count; i++)
        sockets += http->addresses[i].socket != NULL;
    if (!http->issuer &&
        (http->audience_count || http->scope_count || http->again_seconds || http->with_token))
        return usage_error("serve", "--oauth-audience, --oauth-scope, --oauth-refetch and --token "
                                    "go with --oauth-issuer");
    if (!http->issuer)
        return EXIT_OK;
    if (sockets == http->address_count)
        return usage_error("serve", "a Unix socket asks for no token: --oauth-issuer needs an "
                                    "--http with a port");
    if (http->no_token)
        return usage_error("serve", "--no-token and --oauth-issuer contradict each other");
    if (!issuer_url_ok(http->issuer, &err))
        return usage_error("serve", "%s", err.text);
    if (http->audience_count && !address_ok(http->audiences[0]))
        return usage_error("serve",
                           "the first --oauth-audience is the server's address, http or https "
                           "without user, query and fragment: '%s' is not",
                           http->audiences[0]);
    for (size_t i = 0; i < http->scope_count; i++)
        if (!scope_ok(http->scopes[i]))
            return usage_error("serve",
                               "'%s' is no scope: give each by an --oauth-scope of its own",
                               http->scopes[i]);
    for (size_t i = 0; !http->audience_count && i < http->address_count; i++)
        if (http->addresses[i].any)
            return usage_error("serve",
                               "%s has many names: say by --oauth-audience URL which one tokens "
                               "are for",
                               http->addresses[i].host);
    return EXIT_OK;
}

int serve_http_check(const struct serve_http *http)
{
    if (!http->address_count) {
        if (http->no_token || http->certificate || http->key || http->host_count ||
            http->origin_count || http->issuer || http->with_token || http->connections ||
            http->sessions || http->session_seconds > 0 || http->head_seconds > 0 || http->rate)
            return usage_error("serve", "--no-token, --token, --oauth-*, --tls-*, --allow-*, "
                                        "--max-connections, --max-sessions, --session-timeout, "
                                        "--head-timeout and --min-rate go with --http");
        return EXIT_OK;
    }
    if (!http->certificate != !http->key)
        return usage_error("serve", "--tls-cert and --tls-key go together");
    for (size_t i = 0; http->no_token && i < http->address_count; i++)
        if (!http->addresses[i].loopback)
            return usage_error("serve",
                               "--no-token is for loopback and Unix sockets only: whoever reaches "
                               "%s could use this desktop",
                               http->addresses[i].host);
    return check_oauth(http);
}

/* The token that clients need, in *text, or the file that has it, in *file; made if it is not
 * there. False: err. */
static bool find_token(const struct serve_http *http, char **text, char **file, struct error *err)
{
    const char *given = getenv("PERIGEE_TOKEN");
    bool needed = false;

    for (size_t i = 0; i < http->address_count; i++)
        needed |= http->addresses[i].socket == NULL;
    if (!needed)
        return true;
    if (http->issuer && !http->with_token) {
        if (given && *given)
            log_warn(
                "PERIGEE_TOKEN does not count, since tokens come from %s; with --token both do",
                http->issuer);
        return true;
    }
    if (http->no_token) {
        log_warn("no token is asked for: every program and every user of this machine can use "
                 "this desktop (--no-token)");
        return true;
    }
    if (given && *given) {
        if (!http_token_ok(given))
            return error_set(err, "bad_token",
                             "PERIGEE_TOKEN is no token: 16 to 512 visible characters");
        *text = mem_strdup(given);
        return true;
    }
    *file = token_path();
    if (access(*file, F_OK) == 0) {
        *text = http_token_read(*file, err);
    } else if ((*text = http_token_make(*file, err)) != NULL) {
        log_info("a token was made");
    }
    return *text != NULL;
}

static void warn_plain(const struct serve_http *http)
{
    for (size_t i = 0; !http->certificate && i < http->address_count; i++)
        if (!http->addresses[i].loopback)
            log_warn("%s is not loopback and there is no TLS: the token and all else can be read "
                     "on the way (--tls-cert, --tls-key, or a proxy)",
                     http->addresses[i].host);
}

struct http_server *serve_http_start(const struct serve_http *http, uv_loop_t *loop,
                                     struct server *server)
{
    struct http_server_options options = { .server = server,
                                           .addresses = http->addresses,
                                           .address_count = http->address_count,
                                           .hosts = http->hosts,
                                           .host_count = http->host_count,
                                           .origins = http->origins,
                                           .origin_count = http->origin_count,
                                           .oauth = { http->issuer, http->audiences, http->scopes,
                                                      http->audience_count, http->scope_count,
                                                      (unsigned)http->again_seconds },
                                           .certificate = http->certificate,
                                           .key = http->key,
                                           .connections = http->connections,
                                           .sessions = http->sessions,
                                           .session_seconds = (unsigned)http->session_seconds,
                                           .head_seconds = (unsigned)http->head_seconds,
                                           .rate = http->rate };
    struct http_server *made = NULL;
    char *token = NULL, *file = NULL;
    struct buf urls = { 0 };
    struct error err;

    if (find_token(http, &token, &file, &err)) {
        options.token = token;
        options.token_file = file;
        log_add_secret(token ? token : "");
        made = http_server_new(loop, &options, &err);
    }
    if (!made) {
        report_error("serve", &err);
    } else {
        warn_plain(http);
        http_server_urls(made, &urls);
        fputs(buf_text(&urls), stdout);
        fflush(stdout);
        if (file)
            log_info("clients send what `perigee token` prints, as Authorization: Bearer TOKEN");
        else if (token)
            log_info("clients send what PERIGEE_TOKEN holds, as Authorization: Bearer TOKEN");
    }
    free(token);
    free(file);
    buf_free(&urls);
    return made;
}

void serve_http_free(struct serve_http *http)
{
    for (size_t i = 0; i < http->address_count; i++)
        http_address_free(&http->addresses[i]);
}
