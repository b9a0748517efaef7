#include "guest/fork_server.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/module.h"
#include "base/util.h"
#include "guest/launch.h"
#include "process/process_group.h"

struct fork_server {
    const struct fork_server_events *events;
    void *arg;
    uv_process_t process;
    uv_poll_t poll;
    int control;
    int open; /* number of open handles */
    bool running, lost;
};

static void on_server_closed(uv_handle_t *handle)
{
    struct fork_server *server = handle->data;

    if (--server->open == 0)
        free(server);
}

void fork_server_kill(const struct fork_server *server)
{
    if (server->process.pid > 0) /* 0: the process could not be started */
        kill(-server->process.pid, SIGKILL);
}

bool fork_server_is_there(const struct fork_server *server)
{
    struct pollfd control = { .fd = server->control }; /* a closed end is reported unasked */

    return poll(&control, 1, 0) == 0;
}

bool fork_server_tell(struct fork_server *server, const struct control_record *record, int fd)
{
    return control_send(server->control, record, fd);
}

/* The loop reaps the process. The records that it sent before, for example that it makes no guests
 * here, are still to be read: a socket whose other end is gone may have only those. */
void fork_server_lose(struct fork_server *server)
{
    struct control_record record = { 0 };
    int fd;

    if (server->lost)
        return;
    server->lost = true;
    while (control_receive(server->control, &record, &fd) == CONTROL_READ)
        server->events->record(server->arg, &record, fd);
    uv_close((uv_handle_t *)&server->poll, on_server_closed);
    close(server->control);
    fork_server_kill(server); /* guests that outlive the server are still in its group */
    server->events->lost(server->arg);
}

void fork_server_leave(struct fork_server *server)
{
    fork_server_lose(server);
    if (server->running)
        process_group_remove(server->process.pid);
    uv_close((uv_handle_t *)&server->process, on_server_closed);
}

void fork_server_finish(struct fork_server *server)
{
    uv_ref((uv_handle_t *)&server->process);
    fork_server_lose(server);
}

static void on_server_exit(uv_process_t *process, int64_t status, int signo)
{
    struct fork_server *server = process->data;

    server->running = false;
    process_group_remove(process->pid);
    if (!server->lost)
        log_warn("the process that makes scripts' processes ended (status %d, signal %d); the "
                 "next script starts another",
                 (int)status, signo);
    fork_server_lose(server);
    uv_close((uv_handle_t *)process, on_server_closed);
}

static void on_control(uv_poll_t *poll, int status, int events)
{
    struct fork_server *server = poll->data;
    struct control_record record = { 0 };
    enum control_read read = CONTROL_OVER;
    int fd;

    (void)events;
    while (status == 0 && (read = control_receive(server->control, &record, &fd)) == CONTROL_READ)
        server->events->record(server->arg, &record, fd);
    if (read == CONTROL_OVER)
        fork_server_lose(server);
    else
        server->events->noted(server->arg);
}

struct fork_server *fork_server_start(uv_loop_t *loop, const char *const *words,
                                      const struct fork_server_events *events, void *arg,
                                      struct error *err)
{
    struct fork_server *server;
    uv_os_sock_t ends[2];
    int rc = uv_socketpair(SOCK_STREAM, 0, ends, UV_NONBLOCK_PIPE, 0);

    if (rc < 0) {
        error_errno(err, -rc, "a process for the script");
        return NULL;
    }
    server = mem_zero(sizeof *server);
    server->events = events;
    server->arg = arg;
    server->control = ends[0];
    server->process.data = server->poll.data = server;
    uv_poll_init(loop, &server->poll, server->control);
    uv_unref((uv_handle_t *)&server->poll); /* guests keep the loop alive, not this handle */
    server->open = 2;
    rc = launch_server(loop, &server->process, words, ends[1], on_server_exit);
    close(ends[1]);
    if (rc < 0) {
        server->lost = true; /* the server was never there */
        close(server->control);
        uv_close((uv_handle_t *)&server->poll, on_server_closed);
        uv_close((uv_handle_t *)&server->process, on_server_closed);
        error_errno(err, -rc, "a process for the script (%s)", module_executable());
        return NULL;
    }
    uv_unref((uv_handle_t *)&server->process);
    server->running = true;
    process_group_add(server->process.pid, false);
    uv_poll_start(&server->poll, UV_READABLE, on_control);
    return server;
}
