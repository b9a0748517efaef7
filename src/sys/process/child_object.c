/* sys.process.start -- a child that is talked to: its life, and what it says.
 *
 * The object may live in sys.state, longer than any call or version of a file:
 * so it knows nothing of Lua but who waits for it right now. Its output is read
 * ahead up to max_output and then left in the pipe, which makes it wait. */
#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>

#include "script/bind.h"
#include "sys/process/child_object.h"
#include "sys/process/launch.h"
#include "sys/sys.h"

enum { ERRORS_KEPT = 8192 };

/* --- what the loop says ------------------------------------------------------------ */

static void take_output(struct child_object *child, const char *ptr, size_t len)
{
    bool drops = child->waiting && waiting_task_busy(&child->reader);
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
        waiting_task_wake(&child->reader);
}

static void take_errors(struct child_object *child, const char *ptr, size_t len)
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
    struct child_object *child = arg;

    if (fd != 1)
        return;
    child->out_closed = true;
    child->closed_at = bind_now();
    if (!child->waiting)
        waiting_task_wake(&child->reader);
}

static void on_drained(void *arg)
{
    struct child_object *child = arg;

    waiting_task_wake(&child->writer);
}

static void on_exited(void *arg, const struct process_result *result)
{
    struct child_object *child = arg;
    bool truncated = child->result.truncated;

    child->result = *result;
    child->result.truncated |= truncated;
    child->ended = child->out_closed = true;
    process_free(child->process);
    child->process = NULL;
    waiting_task_wake(&child->reader);
    waiting_task_wake(&child->writer);
}

/* --- its life ------------------------------------------------------------------------ */

struct child_object *child_check(lua_State *L)
{
    return luaL_checkudata(L, CHILD_AT, CHILD);
}

void child_push_errors(lua_State *L, const struct child_object *child)
{
    size_t skip = child->errors.len > ERRORS_KEPT ? child->errors.len - ERRORS_KEPT : 0;

    lua_pushlstring(L, child->errors.len ? child->errors.data + skip : "",
                    child->errors.len - skip);
}

/* Also __close. What it said on stderr can still be asked for. */
static int child_close(lua_State *L)
{
    struct child_object *child = child_check(L);

    child->closed = child->out_closed = true;
    process_free(child->process);
    child->process = NULL;
    lines_free(&child->out);
    waiting_task_wake(&child->reader);
    waiting_task_wake(&child->writer);
    return 0;
}

static int child_gc(lua_State *L)
{
    child_close(L);
    buf_free(&child_check(L)->errors);
    return 0;
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

/* It is nobody's child any more. */
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

/* child.pid, or a method; upvalue 1 holds the methods. */
static int child_index(lua_State *L)
{
    struct child_object *child = child_check(L);

    if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "pid") == 0)
        lua_pushinteger(L, child->pid);
    else
        lua_rawget(L, lua_upvalueindex(1));
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

static struct child_object *new_child(lua_State *L)
{
    struct child_object *child = lua_newuserdatauv(L, sizeof *child, 0); /* child */

    *child = (struct child_object){ .closed = true };
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
    struct child_object *child;
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
