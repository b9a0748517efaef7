/* Other servers' tools, prompts and resources among ours: the servers of a file `mcpServers`,
 * mounted.
 *
 * What is to be done is in lua/lib/gateway.lua, a task that lives as long as the
 * engine; this starts it, and gives it sys.gateway. */
#ifndef PERIGEE_SYS_GATEWAY_H
#define PERIGEE_SYS_GATEWAY_H

#include "registry/registry.h"

struct gateway;

struct gateway_options {
    const char *const *names; /* servers of the file; none, or "all": every one */
    size_t count;
    const char *config; /* the file; NULL: mcp.json of the user's folder */
};

/* Begins. From the first moment there are the tools that the cache knows; those of servers that
 * were never asked come when they have answered. NULL: lua/lib/gateway.lua does not load.
 * Owned by the caller. */
struct gateway *gateway_start(struct registry *registry, const struct gateway_options *options,
                              struct error *err);

/* It could not begin, or ended: err says why. Known at once when the file cannot be read, or names
 * no such server. */
bool gateway_failed(const struct gateway *gateway, struct error *err);

/* Turns the loop until all servers that had to be asked have answered, or will not. False: the
 * file cannot be read, or names no such server. */
bool gateway_wait(struct gateway *gateway, struct error *err);

/* Before the registry and the VM go, and after they went. Both accept NULL. */
void gateway_stop(struct gateway *gateway);
void gateway_free(struct gateway *gateway);

/* The default of `config`; free() it. */
char *gateway_config_path(void);

#endif
