/* From options to an HTTP server. */
#include "cli/serve_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/token.h"
#include "transport/http_token.h"

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
    if (strcmp(option, "--no-token") == 0)
        http->no_token = true;
    else
        *taken = false;
    return true;
}

int serve_http_check(const struct serve_http *http)
{
    if (!http->address_count) {
        if (http->no_token || http->certificate || http->key || http->host_count ||
            http->origin_count)
            return usage_error("serve", "--no-token, --tls-*, --allow-* go with --http");
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
    return EXIT_OK;
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
        log_info("a token was made; `perigee token` prints it");
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
