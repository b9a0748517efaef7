/* One connection for all: both eras are spoken over it, and a second one would be a second session.
 *
 * The client may free us in each of its callbacks: memory goes when the pipe is closed. */
#include "mcp/client/wire/socket_wire.h"

#include <stdlib.h>

#include "base/timer.h"
#include "mcp/client/wire.h"
#include "mcp/line_reader.h"
#include "process/peer.h"

enum {
    READ_BYTES = 64 * 1024,
    MAX_LINE = 10 * 1024 * 1024,
    MAX_UNSENT = 64 * 1024 * 1024,
};

struct mcp_socket {
    uv_pipe_t pipe;
    uv_connect_t connecting;
    uv_shutdown_t closing_down;
    struct client *client; /* NULL: freed */
    struct line_reader lines;
    char *path;
    char *input;         /* READ_BYTES */
    struct timer *timer; /* it was closed before it was connected; NULL: not so */
    bool connected, closing;
};

struct sending {
    uv_write_t request;
    char bytes[]; /* one message with its newline */
};

/* --- the end ------------------------------------------------------------------------------- */

static void on_socket_closed(uv_handle_t *handle)
{
    struct mcp_socket *mcp = container_of((uv_pipe_t *)handle, struct mcp_socket, pipe);

    line_reader_free(&mcp->lines);
    free(mcp->path);
    free(mcp->input);
    free(mcp);
}

/* The connection is over, for this reason. Last: the client frees us. */
static void socket_wire_end(struct mcp_socket *mcp, const struct error *why)
{
    if (mcp->closing)
        return;
    mcp->closing = true;
    mcp->connected = false;
    line_reader_end(&mcp->lines);
    if (mcp->client)
        client_ended(mcp->client, why);
}

static void end_closed(struct mcp_socket *mcp, const char *text)
{
    struct error why;

    error_set(&why, "closed", "%s", text);
    socket_wire_end(mcp, &why);
}

/* --- input --------------------------------------------------------------------------------- */

static void on_socket_line(void *arg, const char *line, size_t len)
{
    struct mcp_socket *mcp = arg;

    client_receive(mcp->client, line, len);
}

static void on_socket_line_oversized(void *arg, const struct oversized_line *line)
{
    struct mcp_socket *mcp = arg;

    client_receive_oversized(mcp->client, line->head, line->tail, line->len);
}

static void give_socket_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct mcp_socket *mcp = container_of((uv_pipe_t *)handle, struct mcp_socket, pipe);

    (void)suggested;
    *buf = uv_buf_init(mcp->input, READ_BYTES);
}

static void on_socket_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
    struct mcp_socket *mcp = container_of((uv_pipe_t *)stream, struct mcp_socket, pipe);

    if (got >= 0)
        line_reader_take(&mcp->lines, buf->base, (size_t)got);
    else
        end_closed(mcp, "the server closed the connection");
}

/* --- connecting ---------------------------------------------------------------------------- */

static bool read_outcome(struct mcp_socket *mcp, int status, struct error *err)
{
    uv_os_fd_t fd;

    if (status == UV_ENOENT || status == UV_ECONNREFUSED)
        return error_set(err, "not_running", "no process listens at %s", mcp->path);
    if (status < 0)
        return error_set(err, "no_connection", "cannot connect to %s: %s", mcp->path,
                         uv_strerror(status));
    if (uv_fileno((uv_handle_t *)&mcp->pipe, &fd) != 0 || !peer_is_ours(fd))
        return error_set(err, "forbidden", "the process that listens at %s is another user's",
                         mcp->path);
    return true;
}

static void on_connected(uv_connect_t *request, int status)
{
    struct mcp_socket *mcp = container_of(request, struct mcp_socket, connecting);
    struct error why;

    if (mcp->closing)
        return;
    if (!read_outcome(mcp, status, &why)) {
        socket_wire_end(mcp, &why);
        return;
    }
    mcp->connected = true;
    uv_read_start((uv_stream_t *)&mcp->pipe, give_socket_room, on_socket_read);
    client_started(mcp->client);
}

/* --- the client's wire --------------------------------------------------------------------- */

/* A connection that is lost is noticed by reading. */
static void on_message_written(uv_write_t *request, int status)
{
    (void)status;
    free(container_of(request, struct sending, request));
}

static bool socket_wire_send(void *arg, const char *line, size_t len, struct error *err)
{
    struct mcp_socket *mcp = arg;
    size_t unsent = uv_stream_get_write_queue_size((uv_stream_t *)&mcp->pipe);
    struct sending *sending;
    uv_buf_t bytes;

    if (!mcp->connected)
        return error_set(err, "closed", "the connection to the server is closed. Connect again");
    if (unsent + len > MAX_UNSENT)
        return error_set(err, "busy",
                         "the server does not read its input (%zu bytes are waiting). Wait",
                         unsent);
    sending = mem_alloc(sizeof *sending + len + 1);
    memcpy(sending->bytes, line, len);
    sending->bytes[len] = '\n';
    bytes = uv_buf_init(sending->bytes, (unsigned)len + 1);
    if (uv_write(&sending->request, (uv_stream_t *)&mcp->pipe, &bytes, 1, on_message_written) == 0)
        return true;
    free(sending);
    return error_set(err, "closed", "the connection to the server is closed. Connect again");
}

static void on_socket_shut(uv_shutdown_t *request, int status)
{
    (void)status;
    end_closed(container_of(request, struct mcp_socket, closing_down),
               "the connection to the server was closed");
}

static void on_given_up(void *arg)
{
    struct mcp_socket *mcp = arg;

    mcp->timer = NULL;
    end_closed(mcp, "the connection to the server was closed");
}

static void socket_wire_close(void *arg)
{
    struct mcp_socket *mcp = arg;

    if (mcp->connected &&
        uv_shutdown(&mcp->closing_down, (uv_stream_t *)&mcp->pipe, on_socket_shut) == 0)
        return;
    mcp->connected = false;
    timer_forget(mcp->timer);
    mcp->timer = timer_after(mcp->pipe.loop, 0, on_given_up, mcp);
}

/* --- life ---------------------------------------------------------------------------------- */

struct mcp_socket *mcp_socket_start(uv_loop_t *loop, const char *path,
                                    const struct client_options *options,
                                    const struct client_events *events, void *arg)
{
    static const struct line_events line_events = { on_socket_line, on_socket_line_oversized };
    struct mcp_socket *mcp = mem_zero(sizeof *mcp);
    struct client_wire wire = { .arg = mcp, .send = socket_wire_send, .close = socket_wire_close };

    mcp->path = mem_strdup(path);
    mcp->input = mem_alloc(READ_BYTES);
    line_reader_init(&mcp->lines, options->max_message ? options->max_message : MAX_LINE,
                     &line_events, mcp);
    mcp->client = client_new(loop, &wire, options, events, arg);
    uv_pipe_init(loop, &mcp->pipe, 0);
    uv_pipe_connect(&mcp->connecting, &mcp->pipe, path, on_connected);
    return mcp;
}

struct client *mcp_socket_session(const struct mcp_socket *mcp)
{
    return mcp->client;
}

void mcp_socket_free(struct mcp_socket *mcp)
{
    if (!mcp || !mcp->client)
        return;
    mcp->closing = true;
    line_reader_stop(&mcp->lines);
    timer_forget(mcp->timer);
    client_free(mcp->client);
    mcp->client = NULL;
    uv_close((uv_handle_t *)&mcp->pipe, on_socket_closed);
}
