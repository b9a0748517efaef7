/* Mounts the servers of a file `mcpServers`: puts their tools, prompts and resources among ours.
 *
 * lua/lib/gateway.lua says what is to be done, in a task that lives as long as the engine. This
 * file starts that task and gives it sys.gateway. */
#ifndef PERIGEE_SYS_GATEWAY_H
#define PERIGEE_SYS_GATEWAY_H

#include "registry/registry.h"

struct gateway;

struct gateway_options {
    const char *const *names; /* names of servers of the file; none, or "all": all of them */
    size_t count;
    const char *config;  /* the file; NULL: mcp.json of the user's folder */
    const char *servers; /* JSON, in place of what the file has; NULL or "": the file has them */
};

/* Begins. The tools that the cache knows are there at once; those of servers that were never asked
 * come when the servers have answered. The caller owns the result. NULL: lua/lib/gateway.lua does
 * not load. */
struct gateway *gateway_start(struct registry *registry, const struct gateway_options *options,
                              struct error *err);

/* True if it could not begin, or ended; err says why. That is known at once if the file cannot be
 * read, or has no server of such a name. */
bool gateway_failed(const struct gateway *gateway, struct error *err);

/* Turns the loop until all servers that had to be asked have answered, or will not answer. False:
 * the file cannot be read, or has no server of such a name. */
bool gateway_wait(struct gateway *gateway, struct error *err);

/* Are called before the registry and the VM go, and after that. Both accept NULL. */
void gateway_stop(struct gateway *gateway);
void gateway_free(struct gateway *gateway);

/* The default of `config`. The caller frees it. */
char *gateway_config_path(void);

#endif
