/* `perigee serve --http`: its options, and the server they make. */
#ifndef PERIGEE_CLI_COMMANDS_SERVE_HTTP_H
#define PERIGEE_CLI_COMMANDS_SERVE_HTTP_H

#include "cli/cli.h"
#include "mcp/server/http/endpoint.h"

enum { SERVE_ADDRESSES = 8 };

struct serve_http {
    struct http_address addresses[SERVE_ADDRESSES];
    const char *hosts[COMMON_MAX], *origins[COMMON_MAX];
    const char *certificate, *key;
    size_t address_count, host_count, origin_count;
    size_t connections, sessions, session_seconds, rate, head_seconds;
    const char *issuer, *audiences[COMMON_MAX], *scopes[COMMON_MAX];
    size_t audience_count, scope_count, again_seconds;
    bool no_token, with_token;
};

/* Takes an option of HTTP. *taken: it was one. Returns false after printing what is wrong. */
bool serve_http_option(struct serve_http *http, struct args *args, const char *option, bool *taken);

/* Do the options fit together? Prints why not; returns an exit code. */
int serve_http_check(const struct serve_http *http);

/* Starts it, and prints the URLs on stdout. NULL after printing why not. */
struct http_server *serve_http_start(const struct serve_http *http, uv_loop_t *loop,
                                     struct server *server);
void serve_http_free(struct serve_http *http);

/* The part of its help. */
#define SERVE_HTTP_USAGE                                                                           \
    "\n"                                                                                           \
    "  --http [ADDR:]PORT[/PATH]   serve over HTTP instead; default 127.0.0.1 and /mcp. Port 0:\n" \
    "                    any; the URL is printed. May be given again\n"                            \
    "  --http unix:PATH  the same on a Unix socket, for this user only\n"                          \
    "  --no-token        ask for no token (loopback only); otherwise clients send the one\n"       \
    "                    that `perigee token` prints, or that is in PERIGEE_TOKEN\n"               \
    "  --oauth-issuer URL  take the tokens of this authorization server instead (JWTs for this\n"  \
    "                    server's URL); with --token also the one of `perigee token`\n"            \
    "  --oauth-audience URL   the server's URL as clients know it, when it is another than the\n"  \
    "                    one listened on; further ones are other audiences that count\n"           \
    "  --oauth-scope NAME  every request needs this scope (may be given again)\n"                  \
    "  --oauth-refetch S  seconds at least between two looks at its keys; default 10\n"            \
    "  --allow-host NAME, --allow-origin URL   besides those of this machine: for a proxy\n"       \
    "  --tls-cert FILE, --tls-key FILE   PEM files: https\n"                                       \
    "  --max-connections N, --max-sessions N   default 4096 and 1024\n"                            \
    "  --session-timeout S   seconds until an unused session ends; default 3600\n"                 \
    "  --head-timeout S  seconds for a request's head to arrive; default 10\n"                     \
    "  --min-rate N      bytes a second, after as long, below which a body that comes or an\n"     \
    "                    answer that is read is given up; default 1024\n"

#endif
