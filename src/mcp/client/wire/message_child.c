/* A child's output, and its orderly end.
 *
 * A child that closes its stdin while it runs can take no more requests, and one that closes its
 * stdout answers none: it is stopped, and what it answers until it is gone still counts. */
#include "mcp/client/wire/message_child.h"

#include <stdlib.h>

#include "base/buf.h"
#include "mcp/line_reader.h"
#include "process/process.h"

enum {
    MAX_LINE = 10 * 1024 * 1024,
    MAX_UNSENT = 64 * 1024 * 1024,
    STOP_MS = 2000,
    TERM_MS = 2000,
    KEEP_CAP = 1024 * 1024,  /* a message buffer above this is given back after use */
    ERROR_LINE_MAX = 4096,   /* stderr: longer lines come in pieces */
    STDERR_LINES_MAX = 1024, /* stderr: bytes of its last lines, remembered */
};

struct message_child {
    struct process *process;
    uv_timer_t timer; /* from closing stdin to SIGTERM */
    struct message_child_events events;
    void *arg;
    struct line_reader output; /* reads stdout */
    struct buf error_line;     /* a line of stderr */
    struct buf last_lines;     /* the last lines of stderr, each with its newline */
    struct buf message;        /* scratch for message_child_send() */
    size_t max_unsent;
    bool stopping;
    bool mute;     /* it closed its stdout */
    bool silenced; /* ... and went on, until it was stopped */
    bool ended;
    bool freed;
};

/* --- stdout ------------------------------------------------------------------- */

static void on_child_line(void *arg, const char *line, size_t len)
{
    struct message_child *c = arg;

    c->events.line(c->arg, line, len);
}

static void on_child_line_oversized(void *arg, const struct oversized_line *line)
{
    struct message_child *c = arg;

    c->events.oversized(c->arg, line);
}

static const struct line_events output_events = { on_child_line, on_child_line_oversized };

/* --- stderr ------------------------------------------------------------------- */

/* Whole lines only, and never more than STDERR_LINES_MAX bytes of them. */
static void remember_line(struct message_child *c, const char *line, size_t len)
{
    size_t drop = 0;

    if (len >= STDERR_LINES_MAX)
        len = STDERR_LINES_MAX - 1;
    buf_add(&c->last_lines, line, len);
    buf_addc(&c->last_lines, '\n');
    while (c->last_lines.len - drop > STDERR_LINES_MAX)
        drop += (size_t)((char *)memchr(c->last_lines.data + drop, '\n', c->last_lines.len - drop) -
                         (c->last_lines.data + drop)) +
                1;
    buf_drop(&c->last_lines, drop);
}

static void deliver_error_line(struct message_child *c)
{
    size_t len = c->error_line.len;

    len -= len > 0 && c->error_line.data[len - 1] == '\r';
    c->error_line.len = 0;
    if (len == 0)
        return;
    remember_line(c, c->error_line.data, len);
    c->events.error_line(c->arg, c->error_line.data, len);
}

static void take_error_output(struct message_child *c, const char *ptr, size_t len)
{
    const char *end = ptr + len;

    while (ptr < end && !c->freed) {
        size_t room = ERROR_LINE_MAX - c->error_line.len;
        size_t window = (size_t)(end - ptr) < room ? (size_t)(end - ptr) : room;
        const char *newline = memchr(ptr, '\n', window);
        size_t piece = newline ? (size_t)(newline - ptr) : window;

        buf_add(&c->error_line, ptr, piece);
        if (newline || c->error_line.len == ERROR_LINE_MAX)
            deliver_error_line(c);
        ptr += piece + (newline ? 1 : 0);
    }
}

/* --- events of the process ---------------------------------------------------- */

static void on_child_output(void *arg, int fd, const char *ptr, size_t len)
{
    struct message_child *c = arg;

    if (fd == 1)
        line_reader_take(&c->output, ptr, len);
    else
        take_error_output(c, ptr, len);
}

static bool takes_input(struct message_child *c)
{
    return process_write(c->process, "", 0, NULL);
}

static void on_child_drained(void *arg)
{
    struct message_child *c = arg;

    if (!c->stopping && !takes_input(c))
        message_child_stop(c, STOP_MS);
}

/* A child that exits closes its output first. */
static void on_output_closed(void *arg, int fd)
{
    struct message_child *c = arg;

    if (fd != 1 || c->stopping)
        return;
    c->mute = true;
    message_child_stop(c, STOP_MS);
}

static void on_child_exited(void *arg, const struct process_result *result)
{
    struct message_child *c = arg;

    uv_timer_stop(&c->timer);
    if (c->error_line.len > 0)
        deliver_error_line(c);
    line_reader_end(&c->output);
    if (c->freed)
        return;
    c->ended = true;
    c->events.ended(c->arg, &(struct message_child_end){
                                .exit_code = result->exit_code,
                                .term_signal = result->term_signal,
                                .mute = c->silenced,
                                .last_lines = buf_text(&c->last_lines),
                            });
}

/* --- lifetime ----------------------------------------------------------------- */

static void on_child_closed(uv_handle_t *handle)
{
    struct message_child *c = handle->data;

    line_reader_free(&c->output);
    buf_free(&c->error_line);
    buf_free(&c->last_lines);
    buf_free(&c->message);
    free(c);
}

void message_child_free(struct message_child *c)
{
    if (!c || c->freed)
        return;
    c->freed = true;
    line_reader_stop(&c->output);
    process_free(c->process);
    uv_close((uv_handle_t *)&c->timer, on_child_closed);
}

static struct process *start_child_process(struct message_child *c,
                                           const struct message_child_spec *spec, struct error *err)
{
    static const struct process_events events = { .output = on_child_output,
                                                  .closed = on_output_closed,
                                                  .drained = on_child_drained,
                                                  .exited = on_child_exited };

    return process_start(c->timer.loop,
                         &(struct process_spec){
                             .argv = spec->argv,
                             .cwd = spec->cwd,
                             .env = spec->env,
                             .keep_input_open = true,
                             .kill_grace_ms = spec->term_ms ? spec->term_ms : TERM_MS,
                         },
                         &events, c, err);
}

struct message_child *message_child_start(uv_loop_t *loop, const struct message_child_spec *spec,
                                          const struct message_child_events *events, void *arg,
                                          struct error *err)
{
    struct message_child *c = mem_zero(sizeof *c);

    c->events = *events;
    c->arg = arg;
    line_reader_init(&c->output, spec->max_line ? spec->max_line : MAX_LINE, &output_events, c);
    c->max_unsent = spec->max_unsent ? spec->max_unsent : MAX_UNSENT;
    uv_timer_init(loop, &c->timer);
    c->timer.data = c;
    c->process = start_child_process(c, spec, err);
    if (!c->process) {
        message_child_free(c);
        return NULL;
    }
    return c;
}

int message_child_pid(const struct message_child *c)
{
    return process_pid(c->process);
}

/* --- input and end ------------------------------------------------------------ */

bool message_child_send(struct message_child *c, const char *line, size_t len, struct error *err)
{
    size_t unsent = process_unsent(c->process);

    if (c->stopping || c->ended)
        return error_set(err, "closed", "the connection to the server is closed. Connect again");
    if (unsent + len > c->max_unsent)
        return error_set(
            err, "busy",
            "the server does not read its input (%zu bytes are waiting). Wait, or restart it",
            unsent);
    c->message.len = 0;
    buf_add(&c->message, line, len);
    buf_addc(&c->message, '\n');
    if (!process_write(c->process, c->message.data, c->message.len, NULL))
        return error_set(err, "closed", "the server closed its standard input. Restart it");
    if (c->message.cap > KEEP_CAP)
        buf_free(&c->message);
    return true;
}

static void on_stop_wait_over(uv_timer_t *timer)
{
    struct message_child *c = timer->data;

    c->silenced = c->mute;
    process_stop(c->process);
}

void message_child_stop(struct message_child *c, uint64_t wait_ms)
{
    if (c->ended || (c->stopping && uv_timer_get_due_in(&c->timer) <= wait_ms))
        return;
    c->stopping = true;
    process_close_input(c->process);
    uv_update_time(c->timer.loop);
    uv_timer_start(&c->timer, on_stop_wait_over, wait_ms, 0);
}
