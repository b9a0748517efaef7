/* stdin on the loop.
 *
 * libuv makes what it polls non-blocking, and on a terminal that would hold for
 * stdout, too, which shares it: so the flag is put back, and only what poll
 * says is there is read. What cannot be polled (a file, /dev/null) never blocks. */
#include "cli/line_input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/module.h"
#include "cli/terminal.h"

enum { LOOK_MS = 20 };

struct line_input {
    struct line_input_spec spec;
    const struct edit_ops *ops; /* NULL: lines are not edited */
    struct edit *edit;
    struct buf bytes; /* read, not yet asked for */
    bool asked, ended;
    bool completing; /* Tab was typed: what comes of it is not there yet */
    bool polled, file;
    uv_poll_t poll;
    uv_timer_t timer; /* where poll cannot be used */
    uv_signal_t resized, continued;
    int handles;
};

static void unwatch_input(struct line_input *input)
{
    if (input->polled)
        uv_poll_stop(&input->poll);
    uv_timer_stop(&input->timer);
}

/* --- lines of bytes -------------------------------------------------------------- */

static void give_line(struct line_input *input, size_t len, size_t skip)
{
    char *line = mem_strndup(input->bytes.data, len);

    buf_drop(&input->bytes, skip);
    input->asked = false;
    unwatch_input(input);
    input->spec.line(input->spec.arg, line, len);
    free(line);
}

static const char *line_end(const struct line_input *input)
{
    return input->bytes.len ? memchr(input->bytes.data, '\n', input->bytes.len) : NULL;
}

/* Answers the question from what was read, if it can be. */
static bool line_input_answer(struct line_input *input)
{
    const char *end = line_end(input);

    if (end) {
        size_t len = (size_t)(end - input->bytes.data);

        give_line(input, len, len + 1);
        return true;
    }
    if (!input->ended)
        return false;
    if (input->bytes.len) {
        give_line(input, input->bytes.len, input->bytes.len);
        return true;
    }
    input->asked = false;
    unwatch_input(input);
    input->spec.end(input->spec.arg);
    return true;
}

static void read_input_bytes(struct line_input *input)
{
    ssize_t n;

    n = read(STDIN_FILENO, buf_reserve(&input->bytes, 4096), 4096);
    if (n > 0)
        input->bytes.len += (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        input->ended = true;
    line_input_answer(input);
}

/* --- keys --------------------------------------------------------------------------- */

static void read_input_key(struct line_input *input)
{
    enum edit_event event = input->ops->read(input->edit);
    struct str text;

    if (event == EDIT_MORE)
        return;
    if (event == EDIT_TAB) {
        text = input->ops->before(input->edit);
        input->completing = true;
        unwatch_input(input);
        input->spec.complete(input->spec.arg, text.ptr, text.len);
        return;
    }
    input->ops->pause(input->edit);
    input->asked = false;
    unwatch_input(input);
    if (event == EDIT_END) {
        input->ended = true;
        input->spec.end(input->spec.arg);
        return;
    }
    text = input->ops->line(input->edit);
    input->spec.line(input->spec.arg, text.ptr, text.len);
}

static void on_input_readable(struct line_input *input)
{
    if (!input->asked)
        return;
    if (input->edit)
        read_input_key(input);
    else
        read_input_bytes(input);
}

static void on_input_polled(uv_poll_t *poll_, int status, int events)
{
    (void)status; /* reading tells what is the matter */
    (void)events;
    on_input_readable(poll_->data);
}

/* Not poll(): on a Mac it does not know terminals either. */
static bool input_is_readable(void)
{
    struct timeval none = { 0, 0 };
    fd_set set;

    FD_ZERO(&set);
    FD_SET(STDIN_FILENO, &set);
    return select(STDIN_FILENO + 1, &set, NULL, NULL, &none) != 0;
}

static void on_input_look_due(uv_timer_t *timer)
{
    struct line_input *input = timer->data;

    if (input->file || input_is_readable())
        on_input_readable(input);
}

static void on_had(uv_timer_t *timer)
{
    line_input_answer(timer->data);
}

static void line_input_watch(struct line_input *input)
{
    if (!input->edit && (line_end(input) || input->ended))
        uv_timer_start(&input->timer, on_had, 0, 0);
    else if (input->polled)
        uv_poll_start(&input->poll, UV_READABLE, on_input_polled);
    else
        uv_timer_start(&input->timer, on_input_look_due, 0, input->file ? 1 : LOOK_MS);
}

/* --- asking ------------------------------------------------------------------------- */

void line_input_ask(struct line_input *input, const char *prompt)
{
    input->asked = true;
    if (input->edit) {
        input->ops->begin(input->edit, prompt);
    } else if (line_input_typed(input) && terminal_is(stdout)) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    line_input_watch(input);
}

void line_input_offer(struct line_input *input, const struct buf *found, size_t replace,
                      const char *hint)
{
    if (!input->completing)
        return;
    input->completing = false;
    input->ops->offer(input->edit, found, replace, hint);
    line_input_watch(input);
}

void line_input_drop(struct line_input *input)
{
    input->completing = false;
    if (input->edit)
        input->ops->drop(input->edit);
    if (input->asked)
        unwatch_input(input);
    input->asked = false;
}

void line_input_remember(struct line_input *input, const char *line)
{
    if (input->edit)
        input->ops->remember(input->edit, line);
}

bool line_input_typed(const struct line_input *input)
{
    (void)input;
    return terminal_is(stdin);
}

/* --- life ------------------------------------------------------------------------------ */

static void on_resized(uv_signal_t *handle, int number)
{
    struct line_input *input = handle->data;

    (void)number;
    input->ops->resized(input->edit);
}

static void on_input_continued(uv_signal_t *handle, int number)
{
    struct line_input *input = handle->data;

    (void)number;
    input->ops->continued(input->edit);
}

static void start_signal(struct line_input *input, uv_signal_t *handle, uv_signal_cb fn, int number)
{
    uv_signal_init(input->spec.loop, handle);
    handle->data = input;
    uv_signal_start(handle, fn, number);
    input->handles++;
}

static void open_edit(struct line_input *input)
{
    struct edit_spec spec = { .in = stdin,
                              .out = stdout,
                              .history = input->spec.history,
                              .unfinished = input->spec.unfinished,
                              .arg = input->spec.arg };
    struct error err;

    input->ops = module_symbol("libedit", "perigee_edit", &err);
    if (input->ops)
        input->edit = input->ops->open(&spec, &err);
    if (!input->edit) {
        log_warn("lines cannot be edited: %s", err.text);
        return;
    }
    start_signal(input, &input->resized, on_resized, SIGWINCH);
    start_signal(input, &input->continued, on_input_continued, SIGCONT);
}

static bool is_file(void)
{
    struct stat st;

    return fstat(STDIN_FILENO, &st) != 0 || S_ISREG(st.st_mode);
}

struct line_input *line_input_open(const struct line_input_spec *spec)
{
    struct line_input *input = mem_zero(sizeof *input);
    int flags = fcntl(STDIN_FILENO, F_GETFL);

    input->spec = *spec;
    input->file = is_file();
    input->polled = !input->file && uv_poll_init(spec->loop, &input->poll, STDIN_FILENO) == 0;
    if (flags >= 0)
        fcntl(STDIN_FILENO, F_SETFL, flags);
    input->poll.data = input;
    uv_timer_init(spec->loop, &input->timer);
    input->timer.data = input;
    input->handles = 1 + input->polled;
    if (terminal_is(stdin) && terminal_is(stdout))
        open_edit(input);
    return input;
}

static void on_input_closed(uv_handle_t *handle)
{
    struct line_input *input = handle->data;

    if (--input->handles == 0)
        free(input);
}

void line_input_close(struct line_input *input)
{
    if (!input)
        return;
    if (input->edit) {
        input->ops->close(input->edit);
        uv_close((uv_handle_t *)&input->resized, on_input_closed);
        uv_close((uv_handle_t *)&input->continued, on_input_closed);
    }
    buf_free(&input->bytes);
    if (input->polled)
        uv_close((uv_handle_t *)&input->poll, on_input_closed);
    uv_close((uv_handle_t *)&input->timer, on_input_closed);
}
