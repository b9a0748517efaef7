/* The console of a running engine: a socket beside the control socket, at FOLDER/PID.console, where
 * `perigee ps`, `call --attach`, `repl --attach`, `log`, `reload` and `state` speak MCP with it.
 *
 * It is the server once more, for this user's own commands: what comes through it passes the policy
 * as a call from a terminal. Besides what clients get it has the tools of the toolset "console"
 * (lua/tools/console), which no other session sees. */
#ifndef PERIGEE_ENGINE_CONSOLE_H
#define PERIGEE_ENGINE_CONSOLE_H

#include <uv.h>

#include "registry/registry.h"

struct console;

/* Listens. The loop is not kept alive. NULL and err: as engine_socket_listen(). */
struct console *console_new(uv_loop_t *loop, struct registry *registry, struct error *err);

/* Tells its sessions; as registry_options.changed. */
void console_changed(struct console *console, unsigned what);

/* Removes the socket and ends what its sessions do; before the VM's end. The loop has to turn once
 * more. NULL is fine. */
void console_free(struct console *console);

#endif
