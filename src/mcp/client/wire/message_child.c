/* Framing of a child's output, and its orderly end.
 *
 * A line that lies whole in one read is handed on where it is; only lines that
 * span reads are copied, each byte once, so a long line is linear work. A line
 * over the limit is counted and dropped but for its ends. A child that closes
 * its stdin while it runs can take no more requests, and one that closes its
 * stdout answers none: it is stopped, and what it answers until it is gone
 * still counts. */
#include "mcp/client/wire/message_child.h"

#include <stdlib.h>

#include "base/buf.h"
#include "process/process.h"

enum {
    MAX_LINE = 10 * 1024 * 1024,
    MAX_UNSENT = 64 * 1024 * 1024,
    STOP_MS = 2000,
    TERM_MS = 2000,
    END_SIZE = 512,          /* kept of each end of an oversized line */
    KEEP_CAP = 1024 * 1024,  /* a line buffer above this is given back after use */
    ERROR_LINE_MAX = 4096,   /* stderr: longer lines come in pieces */
    STDERR_LINES_MAX = 1024, /* stderr: bytes of its last lines, remembered */
};

struct message_child {
    struct process *process;
    uv_timer_t timer; /* from closing stdin to SIGTERM */
    struct message_child_events events;
    void *arg;
    struct buf line;     /* of stdout: the beginning of an unfinished line */
    uint64_t dropped;    /* > 0: bytes of an oversized line so far; `line` has its head */
    char tail[END_SIZE]; /* of the oversized line */
    size_t tail_len;
    struct buf error_line; /* of stderr */
    struct buf last_lines; /* the last lines of stderr, each with its newline */
    struct buf message;    /* scratch for message_child_send() */
    size_t max_line;
    size_t max_unsent;
    bool stopping;
    bool mute;     /* it closed its stdout */
    bool silenced; /* ... and went on, until it was stopped */
    bool ended;
    bool freed;
};

/* --- stdout ------------------------------------------------------------------- */

static size_t without_cr(const char *line, size_t len)
{
    return len > 0 && line[len - 1] == '\r' ? len - 1 : len;
}

static void deliver_oversized(struct message_child *c, const char *head, size_t head_len)
{
    struct message_child_oversized line = {
        .head = { head, head_len < END_SIZE ? head_len : END_SIZE },
        .tail = { c->tail, without_cr(c->tail, c->tail_len) },
        .len = c->dropped,
    };

    c->dropped = 0;
    c->tail_len = 0;
    c->events.oversized(c->arg, &line);
}

static void tail_add(struct message_child *c, const char *ptr, size_t len)
{
    if (len == 0)
        return;
    if (len >= END_SIZE) {
        memcpy(c->tail, ptr + len - END_SIZE, END_SIZE);
        c->tail_len = END_SIZE;
        return;
    }
    if (c->tail_len + len > END_SIZE) {
        size_t drop = c->tail_len + len - END_SIZE;

        c->tail_len -= drop;
        memmove(c->tail, c->tail + drop, c->tail_len);
    }
    memcpy(c->tail + c->tail_len, ptr, len);
    c->tail_len += len;
}

/* From now on the line is only counted; memory for its long head is given back. */
static void start_dropping(struct message_child *c)
{
    struct buf head = { 0 };

    tail_add(c, c->line.data, c->line.len);
    c->dropped = c->line.len;
    buf_add(&head, c->line.data, c->line.len < END_SIZE ? c->line.len : END_SIZE);
    buf_free(&c->line);
    c->line = head;
}

static void keep(struct message_child *c, const char *ptr, size_t len)
{
    if (!c->dropped && c->line.len + len <= c->max_line) {
        buf_add(&c->line, ptr, len);
        return;
    }
    if (!c->dropped)
        start_dropping(c);
    if (c->line.len < END_SIZE) {
        size_t room = END_SIZE - c->line.len;

        buf_add(&c->line, ptr, len < room ? len : room);
    }
    tail_add(c, ptr, len);
    c->dropped += len;
}

static void deliver(struct message_child *c, const char *line, size_t len)
{
    len = without_cr(line, len);
    if (len > 0)
        c->events.line(c->arg, line, len);
}

static void deliver_kept(struct message_child *c)
{
    if (c->dropped)
        deliver_oversized(c, c->line.data, c->line.len);
    else
        deliver(c, c->line.data, c->line.len);
    c->line.len = 0;
    if (c->line.cap > KEEP_CAP)
        buf_free(&c->line);
}

static void take_output(struct message_child *c, const char *ptr, size_t len)
{
    const char *end = ptr + len;

    while (ptr < end && !c->freed) {
        const char *newline = memchr(ptr, '\n', (size_t)(end - ptr));
        size_t piece = (size_t)((newline ? newline : end) - ptr);

        if (newline && c->line.len == 0 && !c->dropped && piece <= c->max_line) {
            deliver(c, ptr, piece);
        } else {
            keep(c, ptr, piece);
            if (newline)
                deliver_kept(c);
        }
        ptr += piece + (newline ? 1 : 0);
    }
}

/* --- stderr ------------------------------------------------------------------- */

/* Whole lines only, and never more than STDERR_LINES_MAX bytes of them. */
static void remember(struct message_child *c, const char *line, size_t len)
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
    size_t len = without_cr(c->error_line.data, c->error_line.len);

    c->error_line.len = 0;
    if (len == 0)
        return;
    remember(c, c->error_line.data, len);
    c->events.error_line(c->arg, c->error_line.data, len);
}

static void take_errors(struct message_child *c, const char *ptr, size_t len)
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

static void on_output(void *arg, int fd, const char *ptr, size_t len)
{
    struct message_child *c = arg;

    if (fd == 1)
        take_output(c, ptr, len);
    else
        take_errors(c, ptr, len);
}

static bool takes_input(struct message_child *c)
{
    return process_write(c->process, "", 0, NULL);
}

static void on_drained(void *arg)
{
    struct message_child *c = arg;

    if (!c->stopping && !takes_input(c))
        message_child_stop(c, STOP_MS);
}

/* Of a child that exits it is the beginning of its end. */
static void on_output_closed(void *arg, int fd)
{
    struct message_child *c = arg;

    if (fd != 1 || c->stopping)
        return;
    c->mute = true;
    message_child_stop(c, STOP_MS);
}

static void on_exited(void *arg, const struct process_result *result)
{
    struct message_child *c = arg;

    uv_timer_stop(&c->timer);
    if (c->error_line.len > 0)
        deliver_error_line(c);
    if (!c->freed && (c->line.len > 0 || c->dropped))
        deliver_kept(c);
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

static void on_closed(uv_handle_t *handle)
{
    struct message_child *c = handle->data;

    buf_free(&c->line);
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
    process_free(c->process);
    uv_close((uv_handle_t *)&c->timer, on_closed);
}

static struct process *start_process(struct message_child *c, const struct message_child_spec *spec,
                                     struct error *err)
{
    static const struct process_events events = {
        .output = on_output, .closed = on_output_closed, .drained = on_drained, .exited = on_exited
    };

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
    c->max_line = spec->max_line ? spec->max_line : MAX_LINE;
    c->max_unsent = spec->max_unsent ? spec->max_unsent : MAX_UNSENT;
    uv_timer_init(loop, &c->timer);
    c->timer.data = c;
    c->process = start_process(c, spec, err);
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

static void on_wait_over(uv_timer_t *timer)
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
    uv_timer_start(&c->timer, on_wait_over, wait_ms, 0);
}
