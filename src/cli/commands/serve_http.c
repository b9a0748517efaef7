/* From options to an HTTP server. */
#include "cli/commands/serve_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/commands/token.h"
#include "cli/output.h"
#include "http/oauth/issuer.h"
#include "mcp/server/http/token_file.h"

static bool take_http_address(void *place, const char *value, struct error *err)
{
    struct serve_addresses *addresses = place;

    if (addresses->count == SERVE_ADDRESSES)
        return error_set(err, "usage", "--http is given more than %d times", SERVE_ADDRESSES);
    return http_address_parse(&addresses->items[addresses->count], value, err) &&
           ++addresses->count;
}

#define AT(member) .offset = offsetof(struct serve_options, member)
#define NUMBER(member, from, to)                                                                   \
    .type = OPTION_INTEGER, AT(member), .least = (from), .most = (to), .value = "N"

const struct option serve_option_table[] = {
    { "lean", AT(lean),
      .about = "list only the engine's own tools; find the others with search_tools and call them "
               "with call_tool or run_lua" },
    { "dry-run", AT(dry_run),
      .about = "only say what calls would do; they act on a copy of the desktop" },
    { "no-services", AT(no_services), .about = "run no services" },
    { "timeout", .type = OPTION_SECONDS, AT(timeout_ms), .value = "S", .absent = "60",
      .about = "time limit in seconds for tools that set none of their own" },
    { "task-ttl", .type = OPTION_SECONDS, AT(task_ttl_ms), .value = "S",
      .absent = "3600, and at most 86400 for a client that asks",
      .about = "how long a call that runs as a task lives and its result is kept, in seconds" },
    { "page-size", NUMBER(page, 1, 10000), .absent = "250",
      .about = "definitions in one page of a list" },
    { "max-result", NUMBER(cap, 0, 8000000), .absent = "100000",
      .about = "cut the text of a result after N bytes and say how to get more; 0: only at 8 MB. "
               "Images and structured results that a tool promises are never cut" },
    { "log-calls", AT(log_calls), .about = "log each call: arguments, result and duration" },
    { "http", .type = OPTION_STRING, .repeatable = true, AT(http), .value = "[ADDR:]PORT[/PATH]",
      .absent = "127.0.0.1 and /mcp", .take = take_http_address,
      .about = "serve over HTTP instead, until a signal comes. Port 0 is any free port; the URL is "
               "printed. `unix:PATH` is a Unix socket for this user only" },
    { "background", AT(background),
      .about = "with --http: go on in the background once it serves, without a terminal" },
    { "idle", .type = OPTION_SECONDS, AT(idle_ms), .value = "S", .absent = "never",
      .about = "with --http: end after S seconds without a call" },
    { "no-token", AT(no_token),
      .about = "require no token, on loopback only. Otherwise clients send the one that `perigee "
               "token` prints or PERIGEE_TOKEN holds" },
    { "oauth-issuer", .type = OPTION_URL, AT(issuer), .value = "URL",
      .about = "accept access tokens of this authorization server (JSON Web Tokens for this "
               "server's URL) and no others" },
    { "token", AT(with_token),
      .about = "with --oauth-issuer: also accept the token of `perigee token`" },
    { "oauth-audience", .type = OPTION_URL, .repeatable = true, AT(audiences), .value = "URL",
      .about = "the server's URL as clients know it, if it differs from the listen address; "
               "further ones are other accepted audiences" },
    { "oauth-scope", .type = OPTION_STRING, .repeatable = true, AT(scopes), .value = "NAME",
      .about = "a scope that every request needs" },
    { "oauth-refetch", NUMBER(refetch_s, 1, 3600), .absent = "10",
      .about = "seconds at least between two fetches of the authorization server's keys" },
    { "allow-host", .type = OPTION_STRING, .repeatable = true, AT(hosts), .value = "NAME",
      .about = "a host name besides those of this machine: for a proxy" },
    { "allow-origin", .type = OPTION_URL, .repeatable = true, AT(origins), .value = "URL",
      .about = "an origin of web pages besides those of this machine" },
    { "tls-cert", .type = OPTION_FILE, AT(certificate), .value = "FILE",
      .about = "the certificate, a PEM file: https" },
    { "tls-key", .type = OPTION_FILE, AT(key), .value = "FILE", .about = "its key, a PEM file" },
    { "max-connections", NUMBER(connections, 1, 100000), .absent = "4096",
      .about = "connections at once" },
    { "max-sessions", NUMBER(sessions, 1, 100000), .absent = "1024", .about = "sessions at once" },
    { "session-timeout", NUMBER(session_s, 1, (size_t)30 * 86400), .absent = "3600",
      .about = "seconds until an unused session ends" },
    { "head-timeout", NUMBER(head_s, 1, 3600), .absent = "10",
      .about = "time limit in seconds for a request's head" },
    { "min-rate", NUMBER(rate, 1, 1000000000), .absent = "1024",
      .about = "minimum transfer rate in bytes per second after the first --head-timeout seconds; "
               "slower requests and readers are dropped" },
    { 0 },
};

#undef NUMBER
#undef AT

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

static int check_oauth(const struct serve_options *options)
{
    size_t sockets = 0;
    struct error err;

    for (size_t i = 0; i < options->http.count; i++)
        sockets += options->http.items[i].socket != NULL;
    if (!options->issuer && (options->audiences.count || options->scopes.count ||
                             options->refetch_s || options->with_token))
        return usage_error("serve", "--oauth-audience, --oauth-scope, --oauth-refetch and --token "
                                    "go with --oauth-issuer");
    if (!options->issuer)
        return EXIT_OK;
    if (sockets == options->http.count)
        return usage_error("serve", "a Unix socket requires no token. Give --oauth-issuer together "
                                    "with an --http that has a port");
    if (options->no_token)
        return usage_error("serve", "--no-token and --oauth-issuer contradict each other");
    if (!issuer_url_ok(options->issuer, &err))
        return usage_error("serve", "%s", err.text);
    if (options->audiences.count && !address_ok(options->audiences.items[0]))
        return usage_error(
            "serve",
            "'%s' is not a URL of this server. Give http or https without user, query "
            "and fragment as the first --oauth-audience",
            options->audiences.items[0]);
    for (size_t i = 0; i < options->scopes.count; i++)
        if (!scope_ok(options->scopes.items[i]))
            return usage_error("serve",
                               "'%s' is not a scope. Give each scope with its own --oauth-scope",
                               options->scopes.items[i]);
    for (size_t i = 0; !options->audiences.count && i < options->http.count; i++)
        if (options->http.items[i].any)
            return usage_error("serve",
                               "%s has many names. Give the one that tokens are for with "
                               "--oauth-audience URL",
                               options->http.items[i].host);
    return EXIT_OK;
}

int serve_options_check(const struct serve_options *options)
{
    if (!options->http.count) {
        if (options->no_token || options->certificate || options->key || options->hosts.count ||
            options->origins.count || options->issuer || options->with_token ||
            options->connections || options->sessions || options->session_s > 0 ||
            options->head_s > 0 || options->rate || options->background || options->idle_ms)
            return usage_error(
                "serve",
                "--background, --idle, --no-token, --token, --oauth-*, --tls-*, --allow-*, "
                "--max-connections, --max-sessions, --session-timeout, "
                "--head-timeout and --min-rate go with --http");
        return EXIT_OK;
    }
    if (!options->certificate != !options->key)
        return usage_error("serve", "--tls-cert and --tls-key go together");
    for (size_t i = 0; options->no_token && i < options->http.count; i++)
        if (!options->http.items[i].loopback)
            return usage_error(
                "serve",
                "--no-token is for loopback and Unix sockets only: every client that "
                "reaches %s could use this desktop",
                options->http.items[i].host);
    return check_oauth(options);
}

/* The token that clients need, in *text, or the file that has it, in *file; made if it is not
 * there. False: err. */
static bool find_http_token(const struct serve_options *options, char **text, char **file,
                            struct error *err)
{
    const char *given = getenv("PERIGEE_TOKEN");
    bool needed = false;

    for (size_t i = 0; i < options->http.count; i++)
        needed |= options->http.items[i].socket == NULL;
    if (!needed)
        return true;
    if (options->issuer && !options->with_token) {
        if (given && *given)
            log_warn(
                "PERIGEE_TOKEN is ignored because tokens come from %s. Add --token to accept both",
                options->issuer);
        return true;
    }
    if (options->no_token) {
        log_warn("no token is required: every program and every user of this machine can use "
                 "this desktop (--no-token)");
        return true;
    }
    if (given && *given) {
        if (!http_token_ok(given))
            return error_set(
                err, "bad_token",
                "PERIGEE_TOKEN is not a valid token. Use 16 to 512 visible characters");
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

static void warn_plain(const struct serve_options *options)
{
    for (size_t i = 0; !options->certificate && i < options->http.count; i++)
        if (!options->http.items[i].loopback)
            log_warn("%s is not loopback and there is no TLS: the token and everything else can be "
                     "read in transit. Use --tls-cert and --tls-key, or a proxy",
                     options->http.items[i].host);
}

struct http_server *serve_http_start(const struct serve_options *options, uv_loop_t *loop,
                                     struct server *server)
{
    struct http_server_options wanted = {
        .server = server,
        .addresses = options->http.items,
        .address_count = options->http.count,
        .hosts = options->hosts.items,
        .host_count = options->hosts.count,
        .origins = options->origins.items,
        .origin_count = options->origins.count,
        .oauth = { options->issuer, options->audiences.items, options->scopes.items,
                   options->audiences.count, options->scopes.count, (unsigned)options->refetch_s },
        .certificate = options->certificate,
        .key = options->key,
        .connections = options->connections,
        .sessions = options->sessions,
        .session_seconds = (unsigned)options->session_s,
        .head_seconds = (unsigned)options->head_s,
        .rate = options->rate
    };
    struct http_server *made = NULL;
    char *token = NULL, *file = NULL;
    struct buf urls = { 0 };
    struct error err;

    if (find_http_token(options, &token, &file, &err)) {
        wanted.token = token;
        wanted.token_file = file;
        log_add_secret(token ? token : "");
        made = http_server_new(loop, &wanted, &err);
    }
    if (!made) {
        report_error("serve", &err);
    } else {
        warn_plain(options);
        http_server_urls(made, &urls);
        fputs(buf_text(&urls), stdout);
        fflush(stdout);
        if (isatty(STDERR_FILENO))
            fputs("perigee serve: waiting for MCP clients at this URL. Ctrl-C leaves.\n", stderr);
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

void serve_options_free(struct serve_options *options)
{
    for (size_t i = 0; i < options->http.count; i++)
        http_address_free(&options->http.items[i]);
}
