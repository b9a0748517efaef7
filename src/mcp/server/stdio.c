/* Lines in, lines out, over two descriptors and no stream objects: one read for
 * each wake-up, and one write for all the replies it caused. */
#include "mcp/server/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/timer.h"
#include "registry/call/record.h"

enum {
    READ_BYTES = 64 * 1024,
    READS_A_TURN = 16,
    BACKLOG_BYTES = 16 * 1024 * 1024, /* unread output above which no more input is taken */
    LAST_WRITE_MS = 1000,
    END_BYTES = 512,    /* kept of both ends of a message that is too long: its id may be there */
    FLUSH_BYTES = 4096, /* replies are sent while more are made: the reader can work meanwhile */
    PIPE_BYTES = 256 * 1024, /* a list of tools fits in */
};

struct stdio {
    struct session *session;
    struct stdio_events events;
    struct sink sink;
    uv_loop_t *loop;

    uv_poll_t input;      /* readable; not used when stdin is a file */
    uv_idle_t input_file; /* a file is always readable, and epoll refuses it */
    bool input_is_file;
    bool paused;
    struct buf in;
    size_t scanned; /* bytes of `in` known to hold no newline */
    bool skipping;  /* inside a message that is too long: `in` has its last bytes */
    char head[END_BYTES];

    uv_poll_t output; /* writable again */
    bool output_polled;
    int out_fd;
    struct buf out;
    bool receiving; /* replies wait for the end of the turn */
    bool broken;    /* the client does not read our output */
    bool failed;    /* ... because it cannot be written: a full disk, a closed descriptor */
    uint64_t written;
    struct timer *stuck; /* while input is paused: is anybody still there? */
    uint64_t written_then;

    int in_flags, out_flags; /* as they were */
    bool idle_told, closed_told;
    int handles;
};

static void stdio_flush(struct stdio *stdio);

/* --- the sink --------------------------------------------------------------------- */

static struct buf *stdio_sink_begin(struct sink *sink)
{
    return &container_of(sink, struct stdio, sink)->out;
}

static void stdio_sink_end(struct sink *sink, struct sink_mark mark)
{
    struct stdio *stdio = container_of(sink, struct stdio, sink);

    (void)mark;
    buf_addc(&stdio->out, '\n');
    if (!stdio->receiving || stdio->out.len > FLUSH_BYTES)
        stdio_flush(stdio);
}

/* --- ends --------------------------------------------------------------------------- */

static void tell_closed(struct stdio *stdio)
{
    if (stdio->closed_told)
        return;
    stdio->closed_told = true;
    stdio->events.closed(stdio->events.arg);
}

static void on_exit_message(void *arg)
{
    tell_closed(arg);
}

/* --- output ------------------------------------------------------------------------- */

static void input_resume(struct stdio *stdio);
static void input_pause(struct stdio *stdio);

static void on_writable(uv_poll_t *poll, int status, int events)
{
    struct stdio *stdio = poll->data;

    (void)status;
    (void)events;
    stdio_flush(stdio);
}

/* Writes what the reader takes now. False: it is gone. */
static bool write_output(struct stdio *stdio)
{
    size_t done = 0;

    while (done < stdio->out.len) {
        ssize_t n = write(stdio->out_fd, stdio->out.data + done, stdio->out.len - done);

        if (n > 0) {
            done += (size_t)n;
            stdio->written += (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        } else if (errno != EINTR) {
            stdio->broken = true;
            stdio->failed = errno != EPIPE && errno != ECONNRESET;
            if (stdio->failed)
                log_error("cannot write to stdout: %s", strerror(errno));
            else
                log_info("the client stopped reading: %s", strerror(errno));
            stdio->out.len = 0;
            return false;
        }
    }
    buf_drop(&stdio->out, done);
    return true;
}

static void shrink_buf(struct buf *buf)
{
    if (buf->len == 0 && buf->cap > (size_t)4 * READ_BYTES)
        buf_free(buf);
}

static void stdio_flush(struct stdio *stdio)
{
    if (stdio->broken)
        stdio->out.len = 0;
    if (!stdio->out.len)
        return;
    if (!write_output(stdio)) {
        tell_closed(stdio);
        return;
    }
    if (stdio->out.len && stdio->output_polled)
        uv_poll_start(&stdio->output, UV_WRITABLE, on_writable);
    else if (stdio->output_polled && uv_is_active((uv_handle_t *)&stdio->output))
        uv_poll_stop(&stdio->output);
    if (stdio->out.len > BACKLOG_BYTES)
        input_pause(stdio);
    else if (stdio->paused)
        input_resume(stdio);
    shrink_buf(&stdio->out);
}

/* --- input ---------------------------------------------------------------------------- */

static void take_input_line(struct stdio *stdio, const char *line, size_t len)
{
    if (len && line[len - 1] == '\r')
        len--;
    for (size_t i = 0; i < len; i++) {
        if (line[i] == ' ' || line[i] == '\t')
            continue;
        session_receive(stdio->session, NULL, line, len);
        return;
    }
    /* a blank line is not a message */
}

/* The end of a message that was skipped. */
static void refuse_long(struct stdio *stdio, const char *end, size_t len)
{
    size_t kept = len < END_BYTES ? len : END_BYTES;

    stdio->skipping = false;
    session_oversize(stdio->session, STDIO_MESSAGE, (struct str){ stdio->head, END_BYTES },
                     (struct str){ end + len - kept, kept });
}

/* Every whole line in the buffer; what is left is the start of the next. Where there are several,
 * the calls among them are recorded together. */
static void take_input_lines(struct stdio *stdio)
{
    struct buf *in = &stdio->in;
    size_t start = 0;
    char *end;

    while ((end = memchr(in->data + start + stdio->scanned, '\n',
                         in->len - start - stdio->scanned)) != NULL) {
        size_t len = (size_t)(end - (in->data + start));

        if (memchr(end + 1, '\n', in->len - start - len - 1))
            record_hold();
        if (stdio->skipping)
            refuse_long(stdio, in->data + start, len);
        else
            take_input_line(stdio, in->data + start, len);
        start += len + 1;
        stdio->scanned = 0;
    }
    buf_drop(in, start);
    stdio->scanned = in->len;
    if (in->len > STDIO_MESSAGE && !stdio->skipping) {
        memcpy(stdio->head, in->data, END_BYTES);
        stdio->skipping = true;
    }
    if (stdio->skipping && in->len > END_BYTES) {
        buf_drop(in, in->len - END_BYTES);
        stdio->scanned = in->len;
    }
    shrink_buf(in);
}

/* Returns false at the end of input. */
static bool read_turn(struct stdio *stdio)
{
    bool more = true;

    stdio->receiving = true;
    for (int i = 0; i < READS_A_TURN && more; i++) {
        char *into = buf_reserve(&stdio->in, READ_BYTES);
        ssize_t n = read(STDIN_FILENO, into, READ_BYTES);

        if (n > 0) {
            stdio->in.len += (size_t)n;
            take_input_lines(stdio);
            more = n == READ_BYTES && stdio->out.len < BACKLOG_BYTES && !stdio->closed_told;
        } else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            if (n == 0 && stdio->in.len) { /* a last line without its newline */
                if (stdio->skipping)
                    refuse_long(stdio, stdio->in.data, stdio->in.len);
                else
                    take_input_line(stdio, stdio->in.data, stdio->in.len);
                stdio->in.len = 0;
            }
            record_release();
            stdio->receiving = false;
            stdio_flush(stdio);
            return false;
        } else {
            more = false;
        }
    }
    record_release();
    stdio->receiving = false;
    stdio_flush(stdio);
    return true;
}

static void on_input(struct stdio *stdio)
{
    if (!read_turn(stdio)) {
        input_pause(stdio);
        tell_closed(stdio);
    } else if (!stdio->idle_told && session_greeted(stdio->session)) {
        stdio->idle_told = true;
        if (stdio->events.idle)
            stdio->events.idle(stdio->events.arg);
    }
}

static void on_input_readable(uv_poll_t *poll, int status, int events)
{
    (void)status; /* a read tells what is wrong */
    (void)events;
    on_input(poll->data);
}

static void on_file_turn(uv_idle_t *idle)
{
    on_input(idle->data);
}

/* Has the other end of our input been closed? */
static bool input_is_over(void)
{
    struct pollfd input = { .fd = STDIN_FILENO };

    return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR));
}

/* Nothing is read while output waits for its reader, so the end of input would not be seen: a
 * client that has left without reading would leave us here for ever. One that still reads gets its
 * answers. */
static void on_stuck(void *arg)
{
    struct stdio *stdio = arg;
    bool moves = stdio->written != stdio->written_then;

    stdio->written_then = stdio->written;
    stdio->stuck = NULL;
    if (stdio->paused && !moves && input_is_over())
        tell_closed(stdio);
    else if (stdio->paused)
        stdio->stuck = timer_after(stdio->loop, LAST_WRITE_MS, on_stuck, stdio);
}

static void input_pause(struct stdio *stdio)
{
    if (!stdio->paused && !stdio->closed_told) {
        stdio->stuck = timer_after(stdio->loop, LAST_WRITE_MS, on_stuck, stdio);
        stdio->written_then = stdio->written;
    }
    stdio->paused = true;
    if (stdio->input_is_file)
        uv_idle_stop(&stdio->input_file);
    else
        uv_poll_stop(&stdio->input);
}

static void input_resume(struct stdio *stdio)
{
    if (stdio->closed_told)
        return;
    stdio->paused = false;
    timer_forget(stdio->stuck);
    stdio->stuck = NULL;
    if (stdio->input_is_file)
        uv_idle_start(&stdio->input_file, on_file_turn);
    else
        uv_poll_start(&stdio->input, UV_READABLE | UV_DISCONNECT, on_input_readable);
}

/* --- life ------------------------------------------------------------------------------ */

/* Can this descriptor be waited for? Files and /dev/null cannot, and need not. */
static bool is_pollable(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
        return false;
    if (S_ISCHR(st.st_mode))
        return isatty(fd) != 0;
    return S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
}

/* Linux gives a pipe 64 kB; what is longer waits there for the reader to take some, and the reader
 * for the rest. Where more is not allowed (pipe(7), pipe-user-pages-soft), it stays as it is. */
static void widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
    int now = fcntl(fd, F_GETPIPE_SZ);

    if (now > 0 && now < PIPE_BYTES)
        fcntl(fd, F_SETPIPE_SZ, (int)PIPE_BYTES);
#else
    (void)fd;
#endif
}

/* The wire becomes out_fd; what prints on fd 1 shows on stderr from now on. */
static bool move_stdout(struct stdio *stdio, struct error *err)
{
    stdio->out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    if (stdio->out_fd < 0)
        return error_errno(err, errno, "stdout");
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        int number = errno;

        close(stdio->out_fd);
        return error_errno(err, number, "stderr");
    }
    stdio->out_flags = fcntl(stdio->out_fd, F_GETFL);
    stdio->in_flags = fcntl(STDIN_FILENO, F_GETFL);
    widen_pipe(stdio->out_fd);
    return true;
}

static void start_input(struct stdio *stdio)
{
    stdio->input_is_file =
        !is_pollable(STDIN_FILENO) || uv_poll_init(stdio->loop, &stdio->input, STDIN_FILENO) != 0;
    if (stdio->input_is_file)
        uv_idle_init(stdio->loop, &stdio->input_file);
    stdio->input.data = stdio->input_file.data = stdio;
    stdio->handles++;
    input_resume(stdio);
}

struct stdio *stdio_start(uv_loop_t *loop, struct server *server, const struct stdio_events *events,
                          struct error *err)
{
    struct stdio *stdio = mem_zero(sizeof *stdio);
    struct session_events session_events = { on_exit_message, stdio };

    stdio->loop = loop;
    stdio->events = *events;
    stdio->sink = (struct sink){ .begin = stdio_sink_begin, .end = stdio_sink_end };
    if (!move_stdout(stdio, err)) {
        free(stdio);
        return NULL;
    }
    stdio->session = session_new(server, &stdio->sink, &session_events);
    session_launched(stdio->session);
    start_input(stdio);
    stdio->output_polled =
        is_pollable(stdio->out_fd) && uv_poll_init(loop, &stdio->output, stdio->out_fd) == 0;
    stdio->output.data = stdio;
    stdio->handles += stdio->output_polled;
    return stdio;
}

static void on_stdio_handle_closed(uv_handle_t *handle)
{
    struct stdio *stdio = handle->data;

    if (--stdio->handles > 0)
        return;
    buf_free(&stdio->in);
    buf_free(&stdio->out);
    free(stdio);
}

/* A reader that still reads gets the rest; one that does not is not waited for. */
static void write_rest(struct stdio *stdio)
{
    struct pollfd ready = { .fd = stdio->out_fd, .events = POLLOUT };

    while (stdio->out.len && !stdio->broken) {
        if (!write_output(stdio))
            break;
        if (stdio->out.len && poll(&ready, 1, LAST_WRITE_MS) <= 0)
            break;
    }
}

void stdio_free(struct stdio *stdio)
{
    if (!stdio)
        return;
    timer_forget(stdio->stuck);
    stdio->closed_told = true;
    stdio->receiving = true; /* nothing is flushed from here on but by write_rest() */
    session_free(stdio->session);
    write_rest(stdio);
    if (stdio->output_polled)
        uv_close((uv_handle_t *)&stdio->output, on_stdio_handle_closed);
    uv_close(stdio->input_is_file ? (uv_handle_t *)&stdio->input_file
                                  : (uv_handle_t *)&stdio->input,
             on_stdio_handle_closed);
    fcntl(stdio->out_fd, F_SETFL, stdio->out_flags);
    fcntl(STDIN_FILENO, F_SETFL, stdio->in_flags);
    dup2(stdio->out_fd, STDOUT_FILENO);
    close(stdio->out_fd);
}

bool stdio_failed(const struct stdio *stdio)
{
    return stdio && stdio->failed;
}
