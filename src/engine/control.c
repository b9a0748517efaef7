/* The socket of a running engine. Connections are few and short: one line, one answer. */
#include "engine/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/list.h"
#include "platform/backends.h"
#include "process/engine_sockets.h"
#include "process/peer.h"

enum { CALLERS_MAX = 8 };

struct control {
    uv_pipe_t pipe;
    struct desktop_service *desktop;
    const char *command;
    char *path;
    struct link callers;
    int count; /* number of callers */
    int refs;  /* the owner, the pipe, callers */
};

struct caller {
    struct link link;
    uv_pipe_t pipe;
    uv_write_t writing;
    struct control *control;
    char line[CONTROL_LINE];
    size_t len;
    char answer[CONTROL_LINE];
};

/* --- callers ------------------------------------------------------------------------ */

static void control_release(struct control *control)
{
    if (--control->refs > 0)
        return;
    free(control->path);
    free(control);
}

static void on_caller_closed(uv_handle_t *handle)
{
    struct caller *caller = container_of((uv_pipe_t *)handle, struct caller, pipe);

    control_release(caller->control);
    free(caller);
}

static void end_caller(struct caller *caller)
{
    if (uv_is_closing((uv_handle_t *)&caller->pipe))
        return;
    list_remove(&caller->link);
    caller->control->count--;
    uv_close((uv_handle_t *)&caller->pipe, on_caller_closed);
}

static void on_answer_written(uv_write_t *request, int status)
{
    (void)status;
    end_caller(container_of(request, struct caller, writing));
}

bool control_same_place(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || strcmp(a, "-") == 0 || strcmp(b, "-") == 0;
}

/* Does what the line says, if it means this engine. -1: nonsense; else the actions ended. */
static int obey_line(struct desktop_service *desktop, char *line, const char *place)
{
    char *meant = strchr(line, ' ');
    bool us;

    if (meant)
        *meant++ = '\0';
    us = !meant || control_same_place(meant, place);
    if (strcmp(line, "stop") == 0)
        return us ? desktop_service_stop(desktop) : 0;
    if (strcmp(line, "allow") == 0) {
        if (us)
            desktop_service_allow(desktop);
        return 0;
    }
    return strcmp(line, "status") == 0 ? 0 : -1;
}

static void caller_answer(struct caller *caller)
{
    struct desktop_service *desktop = caller->control->desktop;
    char *place = platform_place();
    int ended = obey_line(desktop, caller->line, place);
    uv_buf_t out;

    snprintf(caller->answer, sizeof caller->answer, "%s %d %.300s %s\n",
             desktop_service_stopped(desktop, NULL) ? "stopped" : "allowed", ended, place,
             caller->control->command);
    free(place);
    if (ended < 0) {
        end_caller(caller);
        return;
    }
    out = uv_buf_init(caller->answer, (unsigned)strlen(caller->answer));
    uv_read_stop((uv_stream_t *)&caller->pipe);
    if (uv_write(&caller->writing, (uv_stream_t *)&caller->pipe, &out, 1, on_answer_written) != 0)
        end_caller(caller);
}

static void give_caller_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct caller *caller = container_of((uv_pipe_t *)handle, struct caller, pipe);

    (void)suggested;
    *buf =
        uv_buf_init(caller->line + caller->len, (unsigned)(sizeof caller->line - 1 - caller->len));
}

static void on_request_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
    struct caller *caller = container_of((uv_pipe_t *)stream, struct caller, pipe);
    char *end;

    (void)buf;
    if (got < 0) { /* also when its room is used up */
        end_caller(caller);
        return;
    }
    caller->len += (size_t)got;
    end = memchr(caller->line, '\n', caller->len);
    if (!end)
        return;
    *end = '\0';
    caller_answer(caller);
}

static void on_control_connection(uv_stream_t *stream, int status)
{
    struct control *control = container_of((uv_pipe_t *)stream, struct control, pipe);
    struct caller *caller, *oldest;
    uv_os_fd_t fd;

    if (status < 0)
        return;
    if (control->count == CALLERS_MAX) { /* the oldest silent caller makes room */
        oldest = container_of(control->callers.next, struct caller, link);
        end_caller(oldest);
    }
    caller = mem_zero(sizeof *caller);
    caller->control = control;
    control->refs++;
    control->count++;
    list_push(&control->callers, &caller->link);
    uv_pipe_init(stream->loop, &caller->pipe, 0);
    uv_unref((uv_handle_t *)&caller->pipe);
    if (uv_accept(stream, (uv_stream_t *)&caller->pipe) != 0 ||
        uv_fileno((uv_handle_t *)&caller->pipe, &fd) != 0 || !peer_is_ours(fd) ||
        uv_read_start((uv_stream_t *)&caller->pipe, give_caller_room, on_request_read) != 0)
        end_caller(caller);
}

/* --- lifetime ----------------------------------------------------------------------- */

static void on_control_closed(uv_handle_t *handle)
{
    control_release(container_of((uv_pipe_t *)handle, struct control, pipe));
}

struct control *control_new(uv_loop_t *loop, struct desktop_service *desktop, const char *command,
                            struct error *err)
{
    struct control *control = mem_zero(sizeof *control);

    *control = (struct control){ .desktop = desktop, .command = command, .refs = 2 };
    list_init(&control->callers);
    uv_pipe_init(loop, &control->pipe, 0);
    uv_unref((uv_handle_t *)&control->pipe);
    control->path =
        engine_socket_listen(&control->pipe, "sock", CALLERS_MAX, on_control_connection, err);
    if (control->path)
        return control;
    control_free(control);
    return NULL;
}

void control_free(struct control *control)
{
    struct link *link;

    if (!control)
        return;
    while ((link = control->callers.next) != &control->callers)
        end_caller(container_of(link, struct caller, link));
    if (control->path)
        unlink(control->path);
    uv_close((uv_handle_t *)&control->pipe, on_control_closed);
    control_release(control);
}
