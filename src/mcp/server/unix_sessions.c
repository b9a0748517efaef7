/* Output is written while more is made: what is under way is one buffer, what comes meanwhile
 * another. A connection may end in the middle of what its session does, so that is freed from the
 * loop, when its pipe is closed. */
#include "mcp/server/unix_sessions.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/wakeup.h"
#include "mcp/line_reader.h"
#include "process/peer.h"

enum {
    READ_BYTES = 64 * 1024,
    ROOM_BYTES = 256 * 1024,         /* unsent, above which nothing more is said unasked */
    BACKLOG_BYTES = 4 * 1024 * 1024, /* unsent, above which no more input is taken */
    UNSENT_MAX = 128 * 1024 * 1024,  /* unsent, above which it is hopeless */
};

struct unix_sessions {
    uv_loop_t *loop;
    struct server *server;
    struct link all; /* struct connection */
    int count;
    char *input; /* READ_BYTES for what is being read; NULL: nothing was yet */
    int refs;    /* the owner, connections */
};

struct connection {
    struct link link;
    struct unix_sessions *sessions;
    uv_pipe_t pipe;
    struct session *session; /* NULL: it is over, or there was none */
    struct sink sink;
    struct line_reader lines;
    struct buf out, sending;
    uv_write_t writing;
    bool receiving;    /* replies wait for the end of what was read */
    bool paused;       /* its input */
    struct link waits; /* struct wakeup */
};

static void unix_sessions_release(struct unix_sessions *sessions)
{
    if (--sessions->refs > 0)
        return;
    free(sessions->input);
    free(sessions);
}

/* --- the end ------------------------------------------------------------------------------- */

static void on_connection_closed(uv_handle_t *handle)
{
    struct connection *connection = container_of((uv_pipe_t *)handle, struct connection, pipe);

    session_free(connection->session);
    line_reader_free(&connection->lines);
    buf_free(&connection->out);
    buf_free(&connection->sending);
    unix_sessions_release(connection->sessions);
    free(connection);
}

static bool connection_is_over(const struct connection *connection)
{
    return uv_is_closing((const uv_handle_t *)&connection->pipe);
}

static void connection_end(struct connection *connection)
{
    if (connection_is_over(connection))
        return;
    list_remove(&connection->link);
    connection->sessions->count--;
    line_reader_stop(&connection->lines);
    uv_close((uv_handle_t *)&connection->pipe, on_connection_closed);
}

static void on_exit_message(void *arg)
{
    connection_end(arg);
}

/* --- output -------------------------------------------------------------------------------- */

static void give_connection_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf);
static void on_connection_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf);
static void on_reply_written(uv_write_t *request, int status);

static size_t unsent_bytes(const struct connection *connection)
{
    return connection->out.len + connection->sending.len;
}

static void pause_input(struct connection *connection, bool paused)
{
    if (paused == connection->paused || connection_is_over(connection))
        return;
    connection->paused = paused;
    if (paused)
        uv_read_stop((uv_stream_t *)&connection->pipe);
    else if (uv_read_start((uv_stream_t *)&connection->pipe, give_connection_room,
                           on_connection_read) != 0)
        connection_end(connection);
}

static void connection_flush(struct connection *connection)
{
    struct buf idle = connection->sending;
    uv_buf_t bytes;

    if (connection_is_over(connection) || connection->receiving || idle.len || !connection->out.len)
        return;
    connection->sending = connection->out;
    connection->out = idle;
    bytes = uv_buf_init(connection->sending.data, (unsigned)connection->sending.len);
    if (uv_write(&connection->writing, (uv_stream_t *)&connection->pipe, &bytes, 1,
                 on_reply_written) != 0)
        connection_end(connection);
}

static void on_reply_written(uv_write_t *request, int status)
{
    struct connection *connection = container_of(request, struct connection, writing);

    if (connection->sending.cap > (size_t)4 * READ_BYTES)
        buf_free(&connection->sending);
    connection->sending.len = 0;
    if (status < 0) {
        connection_end(connection);
        return;
    }
    connection_flush(connection);
    if (unsent_bytes(connection) <= BACKLOG_BYTES / 2)
        pause_input(connection, false);
    if (unsent_bytes(connection) <= ROOM_BYTES / 2)
        wakeups_tell(&connection->waits);
}

static struct buf *connection_sink_begin(struct sink *sink)
{
    return &container_of(sink, struct connection, sink)->out;
}

static void connection_sink_end(struct sink *sink, struct sink_mark mark)
{
    struct connection *connection = container_of(sink, struct connection, sink);

    (void)mark;
    buf_addc(&connection->out, '\n');
    if (connection_is_over(connection))
        connection->out.len = 0;
    connection_flush(connection);
    if (unsent_bytes(connection) > UNSENT_MAX) {
        log_info("console: disconnected a client that does not read");
        connection_end(connection);
    } else if (unsent_bytes(connection) > BACKLOG_BYTES) {
        pause_input(connection, true);
    }
}

static bool connection_sink_has_room(struct sink *sink, struct wakeup *wakeup)
{
    struct connection *connection = container_of(sink, struct connection, sink);

    if (unsent_bytes(connection) <= ROOM_BYTES || connection_is_over(connection))
        return true;
    list_push(&connection->waits, &wakeup->link);
    return false;
}

/* --- input --------------------------------------------------------------------------------- */

static void on_connection_line(void *arg, const char *line, size_t len)
{
    struct connection *connection = arg;

    for (size_t i = 0; i < len; i++) {
        if (line[i] == ' ' || line[i] == '\t')
            continue;
        session_receive(connection->session, NULL, line, len);
        return;
    }
    /* a blank line is not a message */
}

static void on_connection_line_oversized(void *arg, const struct oversized_line *line)
{
    struct connection *connection = arg;

    session_oversize(connection->session, UNIX_MESSAGE, line->head, line->tail);
}

static void give_connection_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct unix_sessions *sessions =
        container_of((uv_pipe_t *)handle, struct connection, pipe)->sessions;

    (void)suggested;
    if (!sessions->input)
        sessions->input = mem_alloc(READ_BYTES);
    *buf = uv_buf_init(sessions->input, READ_BYTES);
}

static void on_connection_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
    struct connection *connection = container_of((uv_pipe_t *)stream, struct connection, pipe);

    if (got < 0) {
        connection_end(connection);
        return;
    }
    connection->receiving = true;
    line_reader_take(&connection->lines, buf->base, (size_t)got);
    connection->receiving = false;
    connection_flush(connection);
}

/* --- connections --------------------------------------------------------------------------- */

static void connection_start(struct connection *connection)
{
    static const struct line_events events = { on_connection_line, on_connection_line_oversized };
    struct session_events session_events = { on_exit_message, connection };

    line_reader_init(&connection->lines, UNIX_MESSAGE, &events, connection);
    connection->sink = (struct sink){ .begin = connection_sink_begin,
                                      .end = connection_sink_end,
                                      .has_room = connection_sink_has_room };
    connection->session =
        session_new(connection->sessions->server, &connection->sink, &session_events);
    connection->paused = true;
    pause_input(connection, false);
}

static bool is_welcome(struct connection *connection)
{
    uv_os_fd_t fd;

    if (uv_fileno((uv_handle_t *)&connection->pipe, &fd) != 0 || !peer_is_ours(fd))
        return false;
    if (connection->sessions->count <= UNIX_SESSIONS_MAX)
        return true;
    log_info("console: refused a client, because %d are connected", UNIX_SESSIONS_MAX);
    return false;
}

void unix_sessions_accept(struct unix_sessions *sessions, uv_stream_t *listener)
{
    struct connection *connection = mem_zero(sizeof *connection);

    connection->sessions = sessions;
    sessions->refs++;
    sessions->count++;
    list_push(&sessions->all, &connection->link);
    list_init(&connection->waits);
    uv_pipe_init(sessions->loop, &connection->pipe, 0);
    uv_unref((uv_handle_t *)&connection->pipe);
    if (uv_accept(listener, (uv_stream_t *)&connection->pipe) == 0 && is_welcome(connection))
        connection_start(connection);
    else
        connection_end(connection);
}

struct unix_sessions *unix_sessions_new(uv_loop_t *loop, struct server *server)
{
    struct unix_sessions *sessions = mem_zero(sizeof *sessions);

    *sessions = (struct unix_sessions){ .loop = loop, .server = server, .refs = 1 };
    list_init(&sessions->all);
    return sessions;
}

/* Sends as much as the socket takes at once: there is no loop that would wait for more. */
static void send_last_output(struct connection *connection)
{
    uv_buf_t bytes = uv_buf_init(connection->out.data, (unsigned)connection->out.len);

    if (!connection->sending.len && connection->out.len)
        uv_try_write((uv_stream_t *)&connection->pipe, &bytes, 1);
}

void unix_sessions_free(struct unix_sessions *sessions)
{
    while (sessions && !list_empty(&sessions->all)) {
        struct connection *connection = container_of(sessions->all.next, struct connection, link);

        connection->receiving = true; /* nothing is flushed any more */
        session_free(connection->session);
        connection->session = NULL;
        send_last_output(connection);
        connection_end(connection);
    }
    if (sessions)
        unix_sessions_release(sessions);
}
