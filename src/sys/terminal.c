/* sys.terminal -- asks the person at the terminal that started this process, even if stdin and
 * stdout are something else. */
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/timer.h"
#include "script/bind.h"
#include "script/wake.h"
#include "sys/sys.h"

enum { LINE_BYTES = 1024, ASK_SECONDS_MAX = 3600, CTRL_C = 3 };

/* A question, on the heap since its handles are closed after the task has gone on. */
struct asking {
    uv_poll_t poll;
    uv_signal_t continued;
    int handles; /* number of handles that are not closed yet */
    struct timer *timer;
    struct op *op; /* NULL: nobody waits any more */
    int fd;
    struct buf text; /* the question */
    char line[LINE_BYTES];
    size_t len;
    bool late, closed, dismissed;
    bool interrupt; /* Ctrl-C is to dismiss the question */
    bool changed;   /* Ctrl-C ends the line, and `before` has the keys as they were */
    struct termios before;
};

struct waiting {
    struct op op;
    struct asking *asking; /* NULL: it is over */
};

static void asking_free(struct asking *asking)
{
    close(asking->fd);
    buf_free(&asking->text);
    free(asking);
}

static void on_asking_closed(uv_handle_t *handle)
{
    struct asking *asking = handle->data;

    if (--asking->handles == 0)
        asking_free(asking);
}

static bool put_text(int fd, const char *text, size_t len);

/* Makes Ctrl-C a key that ends the line, instead of a signal that ends the process. A shell to
 * which this process was stopped may have put the keys back or not. */
static void take_interrupt(struct asking *asking)
{
    struct termios now;

    if (!asking->interrupt || tcgetattr(asking->fd, &now) != 0)
        return;
    if (!asking->changed || now.c_cc[VINTR] != _POSIX_VDISABLE)
        asking->before = now;
    now.c_cc[VINTR] = _POSIX_VDISABLE;
    now.c_cc[VEOL] = CTRL_C;
    asking->changed = tcsetattr(asking->fd, TCSANOW, &now) == 0;
}

static void restore_keys(const struct asking *asking)
{
    if (asking->changed)
        tcsetattr(asking->fd, TCSANOW, &asking->before);
}

static void end_asking(struct asking *asking, bool answered)
{
    if (!answered)
        put_text(asking->fd, "\n", 1); /* the next output begins a line */
    restore_keys(asking);
    asking->op = NULL;
    timer_forget(asking->timer);
    asking->timer = NULL;
    uv_poll_stop(&asking->poll);
    uv_close((uv_handle_t *)&asking->poll, on_asking_closed);
    uv_close((uv_handle_t *)&asking->continued, on_asking_closed);
}

static void terminal_waiting_cancel(struct op *op)
{
    struct waiting *waiting = container_of(op, struct waiting, op);

    if (waiting->asking)
        end_asking(waiting->asking, false);
    waiting->asking = NULL;
}

/* Called with (asking). */
static int push_typed_line(lua_State *L)
{
    const struct asking *asking = lua_touserdata(L, 1);

    if (asking->late)
        return bind_fail(L, "timeout", "the user did not answer on the terminal in time");
    if (asking->dismissed)
        return bind_fail(L, "dismissed", "the user dismissed the question");
    if (asking->closed)
        return bind_fail(L, "no_terminal", "the terminal was closed");
    lua_pushlstring(L, asking->line, asking->len);
    return 1;
}

static void finish_asking(struct asking *asking)
{
    struct op *op = asking->op;

    container_of(op, struct waiting, op)->asking = NULL;
    task_wake_with(op, push_typed_line, asking);
    end_asking(asking, !asking->late && !asking->closed && !asking->dismissed);
}

static void on_terminal_readable(uv_poll_t *poll, int status, int events)
{
    struct asking *asking = container_of(poll, struct asking, poll);
    ssize_t got = read(asking->fd, asking->line + asking->len, sizeof asking->line - asking->len);
    char *newline;

    if (got < 0 && status == 0 && (errno == EAGAIN || errno == EINTR))
        return;
    asking->closed = got < 0 || (got == 0 && events & UV_DISCONNECT);
    asking->len += got > 0 ? (size_t)got : 0;
    asking->dismissed = got == 0 || (asking->changed && memchr(asking->line, CTRL_C, asking->len));
    newline = memchr(asking->line, '\n', asking->len);
    if (newline)
        asking->len = (size_t)(newline - asking->line);
    if (newline || asking->closed || asking->dismissed || asking->len == sizeof asking->line)
        finish_asking(asking);
}

/* Asks again after Ctrl-Z and `fg`: the shell has written over the question, and the terminal has
 * dropped what was typed. In the background it leaves the terminal alone, since touching it would
 * stop the process again. */
static void on_asking_continued(uv_signal_t *handle, int number)
{
    struct asking *asking = handle->data;

    (void)number;
    if (tcgetpgrp(asking->fd) != getpgrp())
        return;
    take_interrupt(asking);
    asking->len = 0;
    put_text(asking->fd, asking->text.data, asking->text.len);
}

static void on_asking_late(void *arg)
{
    struct asking *asking = arg;

    asking->timer = NULL;
    asking->late = true;
    finish_asking(asking);
}

/* Opens the terminal of this process, if the process is in front: reading in the background would
 * stop it. -1: there is none. */
static int open_terminal(void)
{
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

    if (fd >= 0 && tcgetpgrp(fd) == getpgrp())
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool put_text(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(fd, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return true;
}

static bool watch_terminal(struct asking *asking, uv_loop_t *loop)
{
    if (uv_poll_init(loop, &asking->poll, asking->fd) != 0)
        return false;
    uv_signal_init(loop, &asking->continued);
    asking->poll.data = asking->continued.data = asking;
    asking->handles = 2;
    uv_poll_start(&asking->poll, UV_READABLE | UV_DISCONNECT, on_terminal_readable);
    uv_signal_start(&asking->continued, on_asking_continued, SIGCONT);
    return true;
}

/* Asks, with the keys set for the question. Owns fd. NULL: `why` tells the reason. It listens
 * before it asks, since an answer may be Ctrl-Z, at once. */
static struct asking *begin_asking(uv_loop_t *loop, int fd, bool interrupt, struct str text,
                                   const char **why)
{
    struct asking *asking = mem_zero(sizeof *asking);

    asking->fd = fd;
    asking->interrupt = interrupt;
    buf_add(&asking->text, text.ptr, text.len);
    take_interrupt(asking);
    tcflush(fd, TCIFLUSH); /* earlier input is not an answer */
    if (!watch_terminal(asking, loop)) {
        *why = "the terminal cannot be waited for";
        restore_keys(asking);
        asking_free(asking);
        return NULL;
    }
    if (put_text(fd, text.ptr, text.len))
        return asking;
    *why = "the terminal takes no text";
    end_asking(asking, true);
    return NULL;
}

/* sys.terminal.ask(text [, seconds [, options]]) -> line | nil, text, code */
static int terminal_ask(lua_State *L)
{
    static const char *const names[] = { "interrupt", NULL };
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);
    uint64_t ms = bind_milliseconds(L, 2, 120, ASK_SECONDS_MAX);
    struct task *task = task_here(L);
    uv_loop_t *loop = vm_loop(vm_of(L));
    struct waiting *waiting;
    struct asking *asking;
    const char *why;
    bool interrupt;
    int fd;

    lua_settop(L, 3);
    bind_check_options(L, 3, names);
    interrupt = lua_istable(L, 3) && bind_flag(L, 3, "interrupt");
    waiting = lua_newuserdatauv(L, sizeof *waiting, 0);
    *waiting = (struct waiting){ .op = { task, terminal_waiting_cancel, "an answer at the terminal",
                                         NULL } };
    fd = open_terminal();
    if (fd < 0)
        return bind_fail(L, "no_terminal", "there is no terminal to ask on");
    asking = begin_asking(loop, fd, interrupt, (struct str){ text, len }, &why);
    if (!asking)
        return bind_fail(L, "no_terminal", "%s", why);
    asking->op = &waiting->op;
    waiting->asking = asking;
    asking->timer = timer_after(loop, ms, on_asking_late, asking);
    return task_park(L, &waiting->op);
}

static const luaL_Reg terminal_funcs[] = { { "ask", terminal_ask }, { NULL, NULL } };

int luaopen_sys_terminal(lua_State *L)
{
    luaL_newlib(L, terminal_funcs);
    return 1;
}
