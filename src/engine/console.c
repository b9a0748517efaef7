/* A server of its own, so that nothing of it shows in the sessions of others. */
#include "engine/console.h"

#include <stdlib.h>
#include <unistd.h>

#include "mcp/server/unix_sessions.h"
#include "process/engine_sockets.h"

enum { BACKLOG = 16 };

struct console {
    uv_pipe_t pipe;
    struct server *server;
    struct unix_sessions *sessions;
    char *path;
};

static void on_console_connection(uv_stream_t *stream, int status)
{
    struct console *console = container_of((uv_pipe_t *)stream, struct console, pipe);

    if (status >= 0)
        unix_sessions_accept(console->sessions, stream);
}

static void on_console_closed(uv_handle_t *handle)
{
    free(container_of((uv_pipe_t *)handle, struct console, pipe));
}

struct console *console_new(uv_loop_t *loop, struct registry *registry, struct error *err)
{
    struct console *console = mem_zero(sizeof *console);
    struct server_options options = { .registry = registry, .console = true, .whole = true };

    console->server = server_new(&options);
    console->sessions = unix_sessions_new(loop, console->server);
    uv_pipe_init(loop, &console->pipe, 0);
    uv_unref((uv_handle_t *)&console->pipe);
    console->path =
        engine_socket_listen(&console->pipe, "console", BACKLOG, on_console_connection, err);
    if (console->path)
        return console;
    console_free(console);
    return NULL;
}

void console_changed(struct console *console, unsigned what)
{
    if (console)
        server_changed(console->server, what);
}

void console_free(struct console *console)
{
    if (!console)
        return;
    if (console->path)
        unlink(console->path);
    free(console->path);
    unix_sessions_free(console->sessions);
    server_free(console->server);
    uv_close((uv_handle_t *)&console->pipe, on_console_closed);
}
