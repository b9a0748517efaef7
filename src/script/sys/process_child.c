/* sys.process.start -- a child that is talked to, line by line.
 *
 * The object may live in sys.state, longer than any call or version of a file:
 * so it knows nothing of Lua but who waits for it right now. Its output is read
 * ahead up to max_output and then left in the pipe, which makes it wait. */
#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>

#include "script/sys/bind.h"
#include "script/sys/process_impl.h"
#include "script/sys/sys.h"

#define CHILD "sys.process.Child"

enum {
    ERRORS_KEPT = 8192,
    UNSENT_MAX = 1024 * 1024, /* write() waits above */
    DEATH_MS = 100,           /* who closes its output is likely to end: then we can tell how */
    WAIT_DEFAULT_S = 30,
    WAIT_MAX_S = 86400,
};

enum { AT_CHILD = 1, AT_DEADLINE };

struct child {
    struct process *process;      /* NULL: it ended or was closed */
    struct process_result result; /* once it ended */
    struct buf out, errors;
    size_t at;      /* what of `out` was read */
    size_t scanned; /* up to here there is no newline; >= at */
    size_t max;
    struct waiter reader; /* in read_line() or wait() */
    struct waiter writer;
    uint64_t closed_at;
    int pid;
    bool ended, closed;
    bool out_closed; /* its stdout is at its end, since closed_at */
    bool paused;
    bool waiting;  /* the reader is in wait(): output beyond max is dropped */
    bool skipping; /* the rest of a line that was too long */
    char name[80];
};

/* --- what the loop says ------------------------------------------------------------ */

static size_t unread(const struct child *child)
{
    return child->out.len - child->at;
}

/* Is there a newline? If so, `scanned` is its place. */
static bool find_line(struct child *child)
{
    const char *found;

    if (child->scanned == child->out.len)
        return false;
    found = memchr(child->out.data + child->scanned, '\n', child->out.len - child->scanned);
    child->scanned = found ? (size_t)(found - child->out.data) : child->out.len;
    return found != NULL;
}

static void drop_output(struct child *child)
{
    child->out.len = child->at = child->scanned = 0;
}

/* The part of a piece that comes after a line that was too long. */
static size_t skip_line(struct child *child, const char *ptr, size_t len)
{
    const char *end = memchr(ptr, '\n', len);

    if (!end)
        return len;
    child->skipping = false;
    return (size_t)(end - ptr) + 1;
}

static void take_output(struct child *child, const char *ptr, size_t len)
{
    bool drops = child->waiting && waiter_busy(&child->reader);
    size_t room;

    if (child->skipping) {
        size_t skipped = skip_line(child, ptr, len);

        ptr += skipped;
        len -= skipped;
    }
    room = unread(child) < child->max ? child->max - unread(child) : 0;
    if (drops && len > room) {
        child->result.truncated = true;
        len = room;
    }
    buf_add(&child->out, ptr, len);
    if (!drops && unread(child) >= child->max) {
        child->paused = true;
        process_pause(child->process);
    }
    if (!child->waiting && (child->paused || find_line(child)))
        waiter_wake(&child->reader);
}

static void take_errors(struct child *child, const char *ptr, size_t len)
{
    buf_add(&child->errors, ptr, len);
    if (child->errors.len > (size_t)2 * ERRORS_KEPT)
        buf_drop(&child->errors, child->errors.len - ERRORS_KEPT);
}

static void on_output(void *arg, int fd, const char *ptr, size_t len)
{
    if (fd == 1)
        take_output(arg, ptr, len);
    else
        take_errors(arg, ptr, len);
}

static void on_closed(void *arg, int fd)
{
    struct child *child = arg;

    if (fd != 1)
        return;
    child->out_closed = true;
    child->closed_at = bind_now();
    if (!child->waiting)
        waiter_wake(&child->reader);
}

static void on_drained(void *arg)
{
    struct child *child = arg;

    waiter_wake(&child->writer);
}

static void on_exited(void *arg, const struct process_result *result)
{
    struct child *child = arg;
    bool truncated = child->result.truncated;

    child->result = *result;
    child->result.truncated |= truncated;
    child->ended = child->out_closed = true;
    process_free(child->process);
    child->process = NULL;
    waiter_wake(&child->reader);
    waiter_wake(&child->writer);
}

static void go_on_reading(struct child *child)
{
    if (!child->paused)
        return;
    child->paused = false;
    if (child->process)
        process_resume(child->process);
}

/* --- its life ------------------------------------------------------------------------ */

static struct child *check_child(lua_State *L)
{
    return luaL_checkudata(L, AT_CHILD, CHILD);
}

/* Also __close. What it said on stderr can still be asked for. */
static int child_close(lua_State *L)
{
    struct child *child = check_child(L);

    child->closed = child->out_closed = true;
    process_free(child->process);
    child->process = NULL;
    buf_free(&child->out);
    drop_output(child);
    waiter_wake(&child->reader);
    waiter_wake(&child->writer);
    return 0;
}

static int child_gc(lua_State *L)
{
    child_close(L);
    buf_free(&check_child(L)->errors);
    return 0;
}

/* nil, text, "closed" */
static int fail_closed(lua_State *L, const struct child *child)
{
    struct str last = process_last_words(&child->errors);
    const char *lead = last.len ? "; the last it said was: " : "";
    const char *words = last.len ? last.ptr : "";
    const struct process_result *result = &child->result;

    if (child->closed)
        return bind_fail(L, "closed", "the handle of \"%s\" was closed", child->name);
    if (!child->ended)
        return bind_fail(L, "closed", "\"%s\" closed its output%s%.*s", child->name, lead,
                         (int)last.len, words);
    if (result->timed_out)
        return bind_fail(L, "closed", "\"%s\" was stopped at its time limit%s%.*s", child->name,
                         lead, (int)last.len, words);
    if (result->term_signal)
        return bind_fail(L, "closed", "\"%s\" was ended by signal %d%s%.*s", child->name,
                         result->term_signal, lead, (int)last.len, words);
    return bind_fail(L, "closed", "\"%s\" ended with code %d%s%.*s", child->name, result->exit_code,
                     lead, (int)last.len, words);
}

static int fail_busy(lua_State *L, const struct child *child)
{
    return bind_fail(L, "busy",
                     "another task is waiting for \"%s\"; let one task at a time talk to it",
                     child->name);
}

/* Puts the time when waiting ends, from a timeout in seconds, where it was. */
static void set_deadline(lua_State *L)
{
    uint64_t ms = bind_milliseconds(L, AT_DEADLINE, WAIT_DEFAULT_S, WAIT_MAX_S);

    lua_settop(L, AT_CHILD);
    lua_pushinteger(L, (lua_Integer)bind_now() + (lua_Integer)ms);
}

/* Milliseconds that are left, 0 when none are. */
static uint64_t time_left(lua_State *L)
{
    uint64_t deadline = (uint64_t)lua_tointeger(L, AT_DEADLINE), now = bind_now();

    return deadline > now ? deadline - now : 0;
}

/* --- read_line ------------------------------------------------------------------------- */

/* Pushes what was read up to `end` and goes on behind `next`. */
static int push_line(lua_State *L, struct child *child, size_t end, size_t next)
{
    lua_pushlstring(L, child->out.data + child->at, end - child->at);
    child->at = child->scanned = next;
    if (child->at == child->out.len) {
        drop_output(child);
    } else if (child->at > child->out.len / 2) {
        buf_drop(&child->out, child->at);
        child->at = child->scanned = 0;
    }
    if (unread(child) < child->max / 2)
        go_on_reading(child);
    return 1;
}

static int fail_long_line(lua_State *L, struct child *child)
{
    child->skipping = true;
    drop_output(child);
    go_on_reading(child);
    return bind_fail(L, "too_large",
                     "\"%s\" wrote a line longer than %d bytes; it was skipped. Start it with a "
                     "larger max_output",
                     child->name, (int)child->max);
}

static int read_on(lua_State *L, int status, lua_KContext context)
{
    struct child *child = lua_touserdata(L, AT_CHILD);
    uint64_t left;

    (void)status;
    (void)context;
    if (waiter_busy(&child->reader))
        return fail_busy(L, child);
    if (find_line(child))
        return push_line(L, child, child->scanned, child->scanned + 1);
    if (unread(child) >= child->max)
        return fail_long_line(L, child);
    if (child->out_closed && unread(child) > 0)
        return push_line(L, child, child->out.len, child->out.len);
    left = time_left(L);
    if (child->out_closed) {
        uint64_t since = bind_now() - child->closed_at;

        if (!child->process || !left || since >= DEATH_MS)
            return fail_closed(L, child);
        left = left < DEATH_MS - since ? left : DEATH_MS - since;
    }
    if (!left)
        return bind_fail(L, "timeout", "\"%s\" wrote no line in time; it is still running",
                         child->name);
    child->waiting = false;
    return waiter_park(L, &child->reader, left, read_on);
}

static int child_read_line(lua_State *L)
{
    check_child(L);
    set_deadline(L);
    task_here(L);
    return read_on(L, LUA_OK, 0);
}

/* --- wait -------------------------------------------------------------------------------- */

static void push_errors(lua_State *L, const struct child *child)
{
    size_t skip = child->errors.len > ERRORS_KEPT ? child->errors.len - ERRORS_KEPT : 0;

    lua_pushlstring(L, child->errors.len ? child->errors.data + skip : "",
                    child->errors.len - skip);
}

static int push_end(lua_State *L, struct child *child)
{
    process_push_result(L, &child->result);
    lua_pushlstring(L, unread(child) ? child->out.data + child->at : "", unread(child));
    lua_setfield(L, -2, "stdout");
    push_errors(L, child);
    lua_setfield(L, -2, "stderr");
    drop_output(child);
    return 1;
}

static int wait_on(lua_State *L, int status, lua_KContext context)
{
    struct child *child = lua_touserdata(L, AT_CHILD);
    uint64_t left;

    (void)status;
    (void)context;
    if (waiter_busy(&child->reader))
        return fail_busy(L, child);
    if (child->closed)
        return fail_closed(L, child);
    if (child->ended && child->result.timed_out)
        return bind_fail(L, "timeout", "\"%s\" was stopped at its time limit", child->name) +
               push_end(L, child);
    if (child->ended)
        return push_end(L, child);
    left = time_left(L);
    if (!left)
        return bind_fail(L, "timeout", "\"%s\" is still running", child->name);
    child->waiting = true;
    go_on_reading(child);
    return waiter_park(L, &child->reader, left, wait_on);
}

static int child_wait(lua_State *L)
{
    check_child(L);
    set_deadline(L);
    task_here(L);
    return wait_on(L, LUA_OK, 0);
}

/* --- the rest ------------------------------------------------------------------------------ */

static int write_on(lua_State *L, int status, lua_KContext context)
{
    struct child *child = lua_touserdata(L, AT_CHILD);

    (void)status;
    (void)context;
    if (!child->process)
        return fail_closed(L, child);
    lua_pushboolean(L, 1);
    return 1;
}

static int child_write(lua_State *L)
{
    struct child *child = check_child(L);
    struct error err;
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);

    if (!child->process)
        return fail_closed(L, child);
    if (waiter_busy(&child->writer))
        return fail_busy(L, child);
    if (!process_write(child->process, bytes, len, &err))
        return bind_fail(L, "closed", "\"%s\" takes no more input", child->name);
    if (process_unsent(child->process) > UNSENT_MAX && lua_isyieldable(L))
        return waiter_park(L, &child->writer, 0, write_on);
    return write_on(L, LUA_OK, 0);
}

static int child_close_input(lua_State *L)
{
    struct child *child = check_child(L);

    if (child->process)
        process_close_input(child->process);
    return 0;
}

static int child_errors(lua_State *L)
{
    push_errors(L, check_child(L));
    return 1;
}

static int child_kill(lua_State *L)
{
    static const char *const names[] = { "term", "kill", "int", "hup", "stop", "cont", NULL };
    static const int signals[] = { SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGSTOP, SIGCONT };
    struct child *child = check_child(L);
    int signal = signals[luaL_checkoption(L, 2, "term", names)];

    if (child->process)
        process_kill(child->process, signal);
    return 0;
}

static int child_running(lua_State *L)
{
    struct child *child = check_child(L);

    lua_pushboolean(L, child->process && process_alive(child->process));
    return 1;
}

/* child.pid, or a method; upvalue 1 holds the methods. */
static int child_index(lua_State *L)
{
    struct child *child = check_child(L);

    if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "pid") == 0)
        lua_pushinteger(L, child->pid);
    else
        lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

static const luaL_Reg child_methods[] = { { "close", child_close },
                                          { "close_input", child_close_input },
                                          { "errors", child_errors },
                                          { "kill", child_kill },
                                          { "read_line", child_read_line },
                                          { "running", child_running },
                                          { "wait", child_wait },
                                          { "write", child_write },
                                          { NULL, NULL } };

static const luaL_Reg child_meta[] = { { "__close", child_close },
                                       { "__gc", child_gc },
                                       { NULL, NULL } };

void process_child_init(lua_State *L)
{
    bind_metatable(L, CHILD, child_meta, NULL);
    luaL_getmetatable(L, CHILD);   /* mt */
    luaL_newlib(L, child_methods); /* mt, methods */
    lua_pushcclosure(L, child_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1); /* - */
}

static struct child *new_child(lua_State *L)
{
    struct child *child = lua_newuserdatauv(L, sizeof *child, 0); /* child */

    *child = (struct child){ .closed = true };
    luaL_setmetatable(L, CHILD);
    return child;
}

/* sys.process.start(spec) -> child | nil, text, code */
int process_start_child(lua_State *L)
{
    static const struct process_events events = {
        .output = on_output, .closed = on_closed, .drained = on_drained, .exited = on_exited
    };
    struct launch *launch;
    struct child *child;
    struct error err;

    if (!task_current(L))
        return luaL_error(L,
                          "a file cannot start a process while it is loaded: do it in a function");
    lua_settop(L, 1);
    launch = launch_push(L, 1, 0); /* spec, launch */
    child = new_child(L);          /* spec, launch, child */
    child->max = (size_t)launch->spec.max_output;
    launch->spec.max_output = 0; /* bounded here, by leaving it in the pipe */
    launch->spec.keep_input_open = true;
    snprintf(child->name, sizeof child->name, "%s", launch->spec.argv[0]);
    child->process = process_start(vm_loop(vm_of(L)), &launch->spec, &events, child, &err);
    launch_done(launch);
    if (!child->process)
        return bind_error(L, &err);
    child->pid = process_pid(child->process);
    child->closed = false;
    return 1;
}
