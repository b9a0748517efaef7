/* The methods of a child that wait: read_line, wait and write.
 *
 * One task at a time waits on each side. Whoever is woken looks again what there
 * is: another task may have come between. */
#include <lauxlib.h>
#include <stdio.h>

#include "sys/process/child_object.h"
#include "sys/process/result.h"

enum {
    UNSENT_MAX = 1024 * 1024, /* write() waits above */
    DEATH_MS = 100,           /* who closes its output is likely to end: then we can tell how */
    WAIT_DEFAULT_S = 30,
    READ_WAIT_MAX_S = 86400,
};

enum { AT_DEADLINE = CHILD_AT + 1 };

static void go_on_reading(struct child_object *child)
{
    if (!child->paused)
        return;
    child->paused = false;
    if (child->process)
        process_resume(child->process);
}

/* nil, text, "closed" */
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
        snprintf(how, sizeof how, "was ended by signal %d", end->term_signal);
    else if (child->ended)
        snprintf(how, sizeof how, "ended with code %d", end->exit_code);
    return bind_fail(L, "closed", "\"%s\" %s%s%.*s", child->name, how,
                     last.len ? "; the last it said was: " : "", (int)last.len, last.ptr);
}

static int fail_busy(lua_State *L, const struct child_object *child)
{
    return bind_fail(L, "busy",
                     "another task is waiting for \"%s\"; let one task at a time talk to it",
                     child->name);
}

/* Puts the time when waiting ends, from a timeout in seconds, where it was. */
static void set_deadline(lua_State *L)
{
    uint64_t ms = bind_milliseconds(L, AT_DEADLINE, WAIT_DEFAULT_S, READ_WAIT_MAX_S);

    lua_settop(L, CHILD_AT);
    lua_pushinteger(L, (lua_Integer)bind_now() + (lua_Integer)ms);
}

/* Milliseconds that are left, 0 when none are. */
static uint64_t time_left(lua_State *L)
{
    uint64_t deadline = (uint64_t)lua_tointeger(L, AT_DEADLINE), now = bind_now();

    return deadline > now ? deadline - now : 0;
}

/* --- read_line ------------------------------------------------------------------------- */

static int fail_long_line(lua_State *L, struct child_object *child)
{
    go_on_reading(child);
    return bind_fail(L, "too_large",
                     "\"%s\" wrote a line longer than %d bytes; it was skipped. Start it with a "
                     "larger max_output",
                     child->name, (int)child->max);
}

/* Pushes the text, and takes it and the newline behind it, if there is one. */
static int push_line(lua_State *L, struct child_object *child, struct str line, size_t newline)
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

static int read_on(lua_State *L, int status, lua_KContext context)
{
    struct child_object *child = lua_touserdata(L, CHILD_AT);
    struct str line;
    uint64_t left;

    (void)status;
    (void)context;
    if (waiting_task_busy(&child->reader))
        return fail_busy(L, child);
    if (lines_next(&child->out, &line))
        return push_line(L, child, line, 1);
    if (child->out_closed && child_unread(child) > 0)
        return push_line(L, child, lines_rest(&child->out), 0);
    if (child_unread(child) > child->max) {
        lines_skip(&child->out);
        return fail_long_line(L, child);
    }
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
    return waiting_task_park(L, &child->reader, left, read_on);
}

int child_read_line(lua_State *L)
{
    child_check(L);
    set_deadline(L);
    task_here(L);
    return read_on(L, LUA_OK, 0);
}

/* --- wait -------------------------------------------------------------------------------- */

static int push_end(lua_State *L, struct child_object *child)
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

static int wait_on(lua_State *L, int status, lua_KContext context)
{
    struct child_object *child = lua_touserdata(L, CHILD_AT);
    uint64_t left;

    (void)status;
    (void)context;
    if (waiting_task_busy(&child->reader))
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
    return waiting_task_park(L, &child->reader, left, wait_on);
}

int child_wait(lua_State *L)
{
    child_check(L);
    set_deadline(L);
    task_here(L);
    return wait_on(L, LUA_OK, 0);
}

/* --- write ---------------------------------------------------------------------------------- */

static int write_on(lua_State *L, int status, lua_KContext context)
{
    struct child_object *child = lua_touserdata(L, CHILD_AT);

    (void)status;
    (void)context;
    if (!child->process)
        return fail_closed(L, child);
    lua_pushboolean(L, 1);
    return 1;
}

int child_write(lua_State *L)
{
    struct child_object *child = child_check(L);
    struct error err;
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);

    if (!child->process)
        return fail_closed(L, child);
    if (waiting_task_busy(&child->writer))
        return fail_busy(L, child);
    if (!process_write(child->process, bytes, len, &err))
        return bind_fail(L, "closed", "\"%s\" takes no more input", child->name);
    if (process_unsent(child->process) > UNSENT_MAX && lua_isyieldable(L))
        return waiting_task_park(L, &child->writer, 0, write_on);
    return write_on(L, LUA_OK, 0);
}
