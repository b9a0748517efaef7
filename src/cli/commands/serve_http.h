/* The options of `perigee serve`, and the HTTP server that they make. */
#ifndef PERIGEE_CLI_COMMANDS_SERVE_HTTP_H
#define PERIGEE_CLI_COMMANDS_SERVE_HTTP_H

#include "cli/options.h"
#include "mcp/server/http/endpoint.h"

enum { SERVE_ADDRESSES = 8 };

struct serve_addresses {
    struct http_address items[SERVE_ADDRESSES];
    size_t count;
};

struct serve_options {
    bool lean, log_calls, dry_run, no_services;
    size_t page, cap;
    uint64_t timeout_ms, task_ttl_ms, idle_ms;
    bool background;
    struct serve_addresses http; /* none: stdio */
    bool no_token, with_token;
    const char *issuer, *certificate, *key;
    struct texts audiences, scopes, hosts, origins;
    size_t refetch_s, connections, sessions, session_s, head_s, rate;
};

extern const struct option serve_option_table[];

/* Do they fit together? Prints why not; returns an exit code. */
int serve_options_check(const struct serve_options *options);

/* Starts it, and prints the URLs on stdout. NULL after printing why not. */
struct http_server *serve_http_start(const struct serve_options *options, uv_loop_t *loop,
                                     struct server *server);
void serve_options_free(struct serve_options *options);

#endif
