/* sys.process.start -- a child that tasks talk to: its life, and its output.
 *
 * The object may live in sys.state, longer than any call or version of a file. So all it knows of
 * Lua is who waits for it right now. Its output is read ahead up to max_output. More of it is left
 * in the pipe, which makes the child wait. */
#include "sys/process/child_object.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>

#include "base/dry_run.h"
#include "registry/call/call.h"
#include "script/anchor.h"
#include "script/bind.h"
#include "script/vm.h"
#include "script/wait_line.h"
#include "sys/process/launch.h"
#include "sys/process/lines.h"
#include "sys/process/result.h"

#define CHILD "sys.process.Child"

enum {
    ERRORS_KEPT = 8192,       /* bytes of the end of stderr that are kept */
    UNSENT_MAX = 1024 * 1024, /* bytes; with more unsent, write() waits */
    DEATH_MS = 100, /* wait for the end of a child that has closed its output, so as to know how it
                       ended */
    WAIT_DEFAULT_S = 30,
    READ_WAIT_MAX_S = 86400,
};

enum { CHILD_AT = 1 }; /* the object's stack index in its methods */

struct child_object {
    struct anchor_hold hold;      /* in the service that started it, unless a call did */
    struct process *process;      /* NULL: it ended or was closed */
    struct process_result result; /* how it ended */
    struct lines out;
    struct buf errors;
    size_t max;               /* most bytes in `out` */
    struct wait_line readers; /* for read_line() and wait() */
    struct wait_line writers;
    uint64_t closed_at;
    int pid;
    bool ended, closed;
    bool out_closed; /* its stdout ended at closed_at */
    bool paused;
    bool waiting; /* the reader is in wait(), so output beyond max is dropped */
    char name[80];
};

/* The number of unread bytes of its stdout. */
static inline size_t child_unread(const struct child_object *child)
{
    return lines_rest(&child->out).len;
}

/* --- events from the loop ---------------------------------------------------------- */

static void take_output(struct child_object *child, const char *ptr, size_t len)
{
    bool drops = child->waiting && wait_line_busy(&child->readers, 0);
    size_t room = child_unread(child) < child->max ? child->max - child_unread(child) : 0;
    struct str line;

    if (drops && len > room) {
        child->result.truncated = true;
        len = room;
    }
    lines_add(&child->out, ptr, len);
    if (!drops && child_unread(child) > child->max) {
        child->paused = true;
        process_pause(child->process);
    }
    if (!child->waiting && (child->paused || lines_next(&child->out, &line)))
        wait_line_wake(&child->readers);
}

static void take_child_errors(struct child_object *child, const char *ptr, size_t len)
{
    buf_add(&child->errors, ptr, len);
    if (child->errors.len > (size_t)2 * ERRORS_KEPT)
        buf_drop(&child->errors, child->errors.len - ERRORS_KEPT);
}

static void on_child_output(void *arg, int fd, const char *ptr, size_t len)
{
    if (fd == 1)
        take_output(arg, ptr, len);
    else
        take_child_errors(arg, ptr, len);
}

static void on_child_closed(void *arg, int fd)
{
    struct child_object *child = arg;

    if (fd != 1)
        return;
    child->out_closed = true;
    child->closed_at = bind_now();
    if (!child->waiting)
        wait_line_wake(&child->readers);
}

static void on_child_input_drained(void *arg)
{
    struct child_object *child = arg;

    wait_line_wake(&child->writers);
}

static void on_child_exited(void *arg, const struct process_result *result)
{
    struct child_object *child = arg;
    bool truncated = child->result.truncated;

    child->result = *result;
    child->result.truncated |= truncated;
    child->ended = child->out_closed = true;
    process_free(child->process);
    child->process = NULL;
    anchor_let_go(&child->hold);
    wait_line_wake(&child->readers);
    wait_line_wake(&child->writers);
}

/* --- the life of the object ---------------------------------------------------------- */

static struct child_object *child_check(lua_State *L)
{
    return luaL_checkudata(L, CHILD_AT, CHILD);
}

static void child_push_errors(lua_State *L, const struct child_object *child)
{
    size_t skip = child->errors.len > ERRORS_KEPT ? child->errors.len - ERRORS_KEPT : 0;

    lua_pushlstring(L, child->errors.len ? child->errors.data + skip : "",
                    child->errors.len - skip);
}

static void close_child(struct child_object *child)
{
    anchor_let_go(&child->hold);
    child->closed = child->out_closed = true;
    process_free(child->process);
    child->process = NULL;
    lines_free(&child->out);
    wait_line_wake(&child->readers);
    wait_line_wake(&child->writers);
}

static void on_owner_ended(struct anchor_hold *hold)
{
    close_child(container_of(hold, struct child_object, hold));
}

/* child:close(), and its __close. What the child said on stderr can still be asked for. */
static int child_close(lua_State *L)
{
    close_child(child_check(L));
    return 0;
}

static int child_gc(lua_State *L)
{
    child_close(L);
    buf_free(&child_check(L)->errors);
    return 0;
}

/* --- methods that wait ------------------------------------------------------------------
 *
 * One task at a time waits on each side. A task that is woken finds out again what there is:
 * another one may have come between. */

static void go_on_reading(struct child_object *child)
{
    if (!child->paused)
        return;
    child->paused = false;
    if (child->process)
        process_resume(child->process);
}

/* Pushes nil, text, "closed". */
static int fail_closed(lua_State *L, const struct child_object *child)
{
    const struct process_result *end = &child->result;
    struct str last = process_last_words(&child->errors);
    char how[40] = "closed its output";

    if (child->closed)
        return bind_fail(L, "closed", "the handle of \"%s\" was closed", child->name);
    if (child->ended && end->timed_out)
        snprintf(how, sizeof how, "was stopped at its time limit");
    else if (child->ended && end->term_signal)
        snprintf(how, sizeof how, "was killed by signal %d", end->term_signal);
    else if (child->ended)
        snprintf(how, sizeof how, "exited with code %d", end->exit_code);
    return bind_fail(L, "closed", "\"%s\" %s%s%.*s", child->name, how,
                     last.len ? ". Its last message: " : "", (int)last.len, last.ptr);
}

static int fail_child_busy(lua_State *L, const struct child_object *child)
{
    return bind_fail(L, "busy",
                     "another task is waiting for \"%s\". Let one task at a time talk to it",
                     child->name);
}

static uint64_t read_patience(lua_State *L)
{
    return bind_milliseconds(L, 2, WAIT_DEFAULT_S, READ_WAIT_MAX_S);
}

/* --- read_line ------------------------------------------------------------------------- */

static int fail_long_line(lua_State *L, struct child_object *child)
{
    go_on_reading(child);
    return bind_fail(L, "too_large",
                     "\"%s\" wrote a line longer than %d bytes, which was skipped. Start it with a "
                     "larger max_output",
                     child->name, (int)child->max);
}

/* Pushes the text, and takes it off the unread output, with the newline behind it, if any. */
static int push_child_line(lua_State *L, struct child_object *child, struct str line,
                           size_t newline)
{
    bool fits = line.len <= child->max;

    if (fits)
        lua_pushlstring(L, line.ptr, line.len);
    lines_take(&child->out, line.len + newline);
    if (!fits)
        return fail_long_line(L, child);
    if (child_unread(child) <= child->max / 2)
        go_on_reading(child);
    return 1;
}

/* A child whose output is closed is given a moment to end, and then to say how. */
static bool is_over(lua_State *L, const struct child_object *child, enum wait_turn turn)
{
    uint64_t since = bind_now() - child->closed_at;

    if (!child->out_closed || !child->process || turn == WAIT_LATE || since >= DEATH_MS)
        return child->out_closed;
    wait_at_most(L, DEATH_MS - since);
    return false;
}

static int take_child_line(lua_State *L, enum wait_turn turn)
{
    struct child_object *child = lua_touserdata(L, CHILD_AT);
    struct str line;

    if (turn == WAIT_BUSY)
        return fail_child_busy(L, child);
    if (lines_next(&child->out, &line))
        return push_child_line(L, child, line, 1);
    if (child->out_closed && child_unread(child) > 0)
        return push_child_line(L, child, lines_rest(&child->out), 0);
    if (child_unread(child) > child->max) {
        lines_skip(&child->out);
        return fail_long_line(L, child);
    }
    if (is_over(L, child, turn))
        return fail_closed(L, child);
    child->waiting = false;
    return turn == WAIT_LATE
               ? bind_fail(L, "timeout", "\"%s\" is still running but wrote no line in time",
                           child->name)
               : 0;
}

static int child_read_line(lua_State *L)
{
    static const struct wait_kind kind = { "a program's output", take_child_line, false };

    return wait_in_line(L, &child_check(L)->readers, &kind, 0, read_patience(L));
}

/* --- wait -------------------------------------------------------------------------------- */

static int push_child_end(lua_State *L, struct child_object *child)
{
    struct str rest = lines_rest(&child->out);

    process_push_result(L, &child->result);
    lua_pushlstring(L, rest.ptr, rest.len);
    lua_setfield(L, -2, "stdout");
    child_push_errors(L, child);
    lua_setfield(L, -2, "stderr");
    lines_take(&child->out, rest.len);
    return 1;
}

static int take_child_end(lua_State *L, enum wait_turn turn)
{
    struct child_object *child = lua_touserdata(L, CHILD_AT);

    if (turn == WAIT_BUSY)
        return fail_child_busy(L, child);
    if (child->closed)
        return fail_closed(L, child);
    if (child->ended && child->result.timed_out)
        return bind_fail(L, "timeout", "\"%s\" was stopped at its time limit", child->name) +
               push_child_end(L, child);
    if (child->ended)
        return push_child_end(L, child);
    child->waiting = true;
    go_on_reading(child);
    return turn == WAIT_LATE ? bind_fail(L, "timeout", "\"%s\" is still running", child->name) : 0;
}

static int child_wait(lua_State *L)
{
    static const struct wait_kind kind = { "the end of a program", take_child_end, false };

    return wait_in_line(L, &child_check(L)->readers, &kind, 0, read_patience(L));
}

/* --- write ---------------------------------------------------------------------------------- */

static int take_written(lua_State *L, enum wait_turn turn)
{
    struct child_object *child = lua_touserdata(L, CHILD_AT);

    if (turn == WAIT_BUSY)
        return fail_child_busy(L, child);
    if (!child->process)
        return fail_closed(L, child);
    if (turn == WAIT_TRY && process_unsent(child->process) > UNSENT_MAX)
        return 0;
    lua_pushboolean(L, 1);
    return 1;
}

static int child_write(lua_State *L)
{
    static const struct wait_kind kind = { "a program that reads", take_written, false };
    struct child_object *child = child_check(L);
    struct error err;
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);

    if (!child->process)
        return fail_closed(L, child);
    if (wait_line_busy(&child->writers, 0))
        return fail_child_busy(L, child);
    if (!process_write(child->process, bytes, len, &err))
        return bind_fail(L, "closed", "\"%s\" takes no more input", child->name);
    return wait_in_line(L, &child->writers, &kind, 0, lua_isyieldable(L) ? WAIT_FOREVER : 0);
}

/* --- the rest ------------------------------------------------------------------------------ */

static int child_close_input(lua_State *L)
{
    struct child_object *child = child_check(L);

    if (child->process)
        process_close_input(child->process);
    return 0;
}

static int child_errors(lua_State *L)
{
    child_push_errors(L, child_check(L));
    return 1;
}

static int child_kill(lua_State *L)
{
    static const char *const names[] = { "term", "kill", "int", "hup", "stop", "cont", NULL };
    static const int signals[] = { SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGSTOP, SIGCONT };
    struct child_object *child = child_check(L);
    int signal = signals[luaL_checkoption(L, 2, "term", names)];

    if (child->process)
        process_kill(child->process, signal);
    return 0;
}

/* Lets the child go on alone: the engine does not end it any more. */
static int child_release(lua_State *L)
{
    struct child_object *child = child_check(L);

    if (child->process)
        process_release(child->process);
    child->process = NULL;
    return child_close(L);
}

static int child_running(lua_State *L)
{
    struct child_object *child = child_check(L);

    lua_pushboolean(L, child->process && process_alive(child->process));
    return 1;
}

/* Pushes a copy of the words, variables and folder in the table at `spec`: whoever has that one may
 * change it. */
static void push_spec_copy(lua_State *L, int spec)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, spec);

    lua_createtable(L, (int)count, 2); /* copy */
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, spec, i);
        lua_rawseti(L, -2, i);
    }
    lua_pushliteral(L, "cwd");
    lua_rawget(L, spec); /* copy, cwd */
    lua_setfield(L, -2, "cwd");
    lua_pushliteral(L, "env");
    if (lua_rawget(L, spec) != LUA_TTABLE) { /* copy, env */
        lua_pop(L, 1);
        return;
    }
    lua_newtable(L); /* copy, env, own */
    for (lua_pushnil(L); lua_next(L, -3);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_setfield(L, -3, "env");
    lua_pop(L, 1); /* copy */
}

static bool is_named(lua_State *L, const char *name)
{
    return lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), name) == 0;
}

/* Gives child.pid, child.spec, or a method. Upvalue 1 holds the methods. */
static int child_index(lua_State *L)
{
    struct child_object *child = child_check(L);

    if (is_named(L, "pid")) {
        lua_pushinteger(L, child->pid);
    } else if (is_named(L, "spec")) {
        lua_getiuservalue(L, CHILD_AT, 1);
        push_spec_copy(L, lua_gettop(L));
    } else {
        lua_rawget(L, lua_upvalueindex(1));
    }
    return 1;
}

static const luaL_Reg child_methods[] = {
    { "close", child_close },         { "close_input", child_close_input },
    { "errors", child_errors },       { "kill", child_kill },
    { "read_line", child_read_line }, { "release", child_release },
    { "running", child_running },     { "wait", child_wait },
    { "write", child_write },         { NULL, NULL }
};

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

/* `spec`: the table that says how it is started. */
static struct child_object *new_child(lua_State *L, int spec)
{
    struct child_object *child = lua_newuserdatauv(L, sizeof *child, 1); /* child */

    *child = (struct child_object){ .closed = true, .hold.end = on_owner_ended };
    list_init(&child->hold.link);
    list_init(&child->readers.places);
    list_init(&child->writers.places);
    luaL_setmetatable(L, CHILD);
    push_spec_copy(L, spec);
    lua_setiuservalue(L, -2, 1); /* child */
    return child;
}

/* Does the process end with the service that runs here? A tool that a service calls may keep it for
 * later calls, and what all of the engine uses is started by the first that needs it. */
static bool ends_with_service(lua_State *L, int spec)
{
    static const char service[] = "service ";
    const char *owner = anchors_owner(L);

    return owner && strncmp(owner, service, sizeof service - 1) == 0 &&
           !bind_flag(L, spec, "shared") && !call_above(task_current(L));
}

/* sys.process.start(spec) -> child | nil, text, code */
int process_start_child(lua_State *L)
{
    static const struct process_events events = { .output = on_child_output,
                                                  .closed = on_child_closed,
                                                  .drained = on_child_input_drained,
                                                  .exited = on_child_exited };
    struct launch *launch;
    struct child_object *child;
    struct error err;

    if (!task_current(L))
        return luaL_error(
            L, "cannot start a process while a file is loaded. Call this from a function");
    lua_settop(L, 1);
    launch = launch_push(L, 1, 0); /* spec, launch */
    if (dry_run_refuses(&err, "start \"%.100s\"", launch->spec.argv[0]))
        return bind_error(L, &err);
    child = new_child(L, 1); /* spec, launch, child */
    child->max = (size_t)launch->spec.max_output;
    launch->spec.max_output = 0; /* 0: leaving output in the pipe bounds it here */
    launch->spec.keep_input_open = true;
    snprintf(child->name, sizeof child->name, "%s", launch->spec.argv[0]);
    child->process = process_start(vm_loop(vm_of(L)), &launch->spec, &events, child, &err);
    launch_done(launch);
    if (!child->process)
        return bind_error(L, &err);
    child->pid = process_pid(child->process);
    child->closed = false;
    if (ends_with_service(L, 1))
        anchor_hold(L, &child->hold);
    return 1;
}
