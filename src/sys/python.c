/* sys.python -- Python code in a process of its own: begun, heard, and ended or kept for more.
 *
 * Time, sessions and what frames mean are Lua's (lua/lib/python). What the process says is not
 * trusted, and counted here. Its tool calls are made in the task that started it, and end with
 * it. */
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>

#include "base/timer.h"
#include "guest/guest.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/shared/guest_calls.h"
#include "sys/sys.h"

#define PROCESS "sys.python.Process"

const char sys_python_key;

enum {
    IDLE_MS = 10 * 60 * 1000, /* without code, after which a server is ended */
    BEGIN_MS = 10000,         /* for the process to come to the code, where its time begins */
    CALLS = 1000,
    ROOM = 20 << 20,       /* bytes of frames in a run, but for the last one */
    FRAMES_BETWEEN = 1000, /* frames between two runs; with more it ends */
};

struct process {
    struct tool_caller caller;
    struct op op; /* the wait of next() or finish() */
    uv_loop_t *loop;
    struct guests *guests; /* those of its kind */
    struct guest *guest;   /* NULL: it has ended, or was not started */
    struct guest_calls calls;
    struct task_hook hook; /* in the task that started the run */
    struct timer *timer;   /* until the clock begins; or NULL */
    struct buf job, frames;
    size_t room;
    unsigned left_out, between;
    bool busy;   /* from run() to finish() */
    bool over;   /* nothing of this run is heard any more */
    bool parked; /* a task waits */
    bool kept;   /* ... for its files, and the process stays */
    struct error why;
};

/* --- the end of a run, and of a process ------------------------------------------------------- */

static void stop_timer(struct process *process)
{
    timer_forget(process->timer);
    process->timer = NULL;
}

static void stop_hearing(struct process *process)
{
    list_remove(&process->hook.link);
    stop_timer(process);
    guest_calls_end(&process->calls);
    process->over = true;
}

static void on_task_end(struct task_hook *hook)
{
    stop_hearing(container_of(hook, struct process, hook));
}

static void end_process(struct process *process)
{
    stop_hearing(process);
    guest_free(process->guest);
    buf_free(&process->job);
    buf_free(&process->frames);
    process->guest = NULL;
    process->busy = false;
}

static void wake(struct process *process)
{
    if (process->parked)
        task_wake(&process->op, 0); /* when its turn comes */
    process->parked = false;
}

static void stop_waiting(struct op *op)
{
    container_of(op, struct process, op)->parked = false;
}

/* --- frames of the process ----------------------------------------------------------------- */

static void begin_clock(void *arg)
{
    struct process *process = arg;

    stop_timer(process);
    task_resume_clock(process->calls.task);
}

/* Keeps a frame for Lua, if there is room: the last one comes through in any case. */
static void keep_frame(struct process *process, const struct frame *frame)
{
    size_t len = frame->payload.left.len + FRAME_HEAD, begun;

    if (frame->kind != FRAME_DONE && len > process->room) {
        process->left_out++;
        return;
    }
    process->room -= frame->kind == FRAME_DONE ? 0 : len;
    begun = frame_begin(&process->frames, frame->kind, frame->id);
    buf_add(&process->frames, frame->payload.left.ptr, frame->payload.left.len);
    frame_end(&process->frames, begun);
}

static void hear_frame(struct process *process, struct frame *frame)
{
    if (process->timer)
        begin_clock(process);
    switch (frame->kind) {
    case FRAME_CALL:
        if (guest_calls_make(&process->calls, frame, &process->why))
            return;
        process->over = true;
        break;
    case FRAME_CANCEL:
        guest_calls_cancel(&process->calls, frame->id);
        return;
    case FRAME_DONE:
        process->over = true;
        keep_frame(process, frame);
        break;
    case FRAME_TOOLS:
    case FRAME_OUTPUT:
    case FRAME_PICTURE:
        keep_frame(process, frame);
        break;
    default:
        error_set(&process->why, "bad_frame",
                  "the process of the code said what only the engine says");
        process->over = true;
    }
    wake(process);
}

static void on_frame(void *arg, struct frame *frame)
{
    struct process *process = arg;

    if (!process->over)
        hear_frame(process, frame);
    else if (!process->busy && ++process->between > FRAMES_BETWEEN)
        end_process(process);
}

static void on_ended(void *arg, const struct error *err)
{
    struct process *process = arg;

    process->guest = NULL;
    if (!process->over)
        process->why = *err;
    process->over = true;
    stop_timer(process);
    wake(process);
}

static void on_files(void *arg, struct frame *frame, int count)
{
    struct process *process = arg;

    (void)count;
    if (frame && process->busy)
        keep_frame(process, frame);
    else if (!frame && process->kept)
        wake(process);
}

/* --- sys.python.run ------------------------------------------------------------------------- */

/* A tool's result as a dict of Python, in JSON: what is not a table becomes its text. */
static bool write_dict(lua_State *L, int index, struct buf *out, struct error *err)
{
    struct buf *json;

    lua_pushvalue(L, index);
    if (!lua_istable(L, -1)) {
        lua_createtable(L, 0, 1);
        lua_insert(L, -2);
        lua_setfield(L, -2, "text"); /* dict */
    }
    json = bind_buffer(L);
    if (!value_write_json(L, -2, json, err))
        return false;
    bytes_str(out, buf_str(json));
    return true;
}

/* The servers of the two kinds differ in the libraries that they load before they fork. */
static char program[PATH_MAX], readable[8 * PATH_MAX];
static const char *const light[] = { "--python-server", program, readable, NULL };
static const char *const heavy[] = { "--python-server", program, readable, "--heavy", NULL };
static const struct guest_kind kinds[PYTHON_KINDS] = {
    { "Python", light, program, IDLE_MS, true },
    { "Python", heavy, program, IDLE_MS, true },
};

void python_guests_new(uv_loop_t *loop, struct guests *guests[PYTHON_KINDS])
{
    for (int i = 0; i < PYTHON_KINDS; i++)
        guests[i] = guests_new(loop, &kinds[i]);
}

static void copy_option(lua_State *L, const char *name, char *to, size_t room)
{
    size_t len = 0;
    const char *text = bind_text(L, 2, name, &len);

    luaL_argcheck(L, text && len < room, 2, name);
    snprintf(to, room, "%s", text);
}

static void set_job(lua_State *L, struct process *process)
{
    struct str job = { 0 };
    size_t begun;

    job.ptr = bind_text(L, 2, "job", &job.len);
    process->job.len = 0;
    begun = frame_begin(&process->job, FRAME_JOB, 0);
    bytes_str(&process->job, job.ptr ? job : STR(""));
    frame_end(&process->job, begun);
}

/* sys.python.process() -> process, which is started by its first run */
static int python_process(lua_State *L)
{
    struct process *process = lua_newuserdatauv(L, sizeof *process, 0);

    *process = (struct process){ .over = true, .loop = vm_loop(vm_of(L)) };
    list_init(&process->hook.link);
    guest_calls_init(&process->calls, sys_registry(L), &process->caller, write_dict);
    luaL_setmetatable(L, PROCESS);
    return 1;
}

/* sys.python.run(code, options, process) -> true | nil, text, code. The code is in the job as well:
 * here the policy sees it. */
static int python_run(lua_State *L)
{
    static const char *const names[] = { "calls", "heavy", "job", "program", "readable", NULL };
    struct guests **guests = vm_service(L, &sys_python_key);
    struct process *process;

    luaL_checkstring(L, 1);
    bind_check_fields(L, 2, names);
    process = luaL_checkudata(L, 3, PROCESS);
    if (process->busy)
        return bind_fail(L, "busy", "code of this process runs already. Wait for its result");
    if (!guests)
        return bind_fail(L, "not_supported", "this engine runs no Python");
    copy_option(L, "program", program, sizeof program);
    copy_option(L, "readable", readable, sizeof readable);
    set_job(L, process);
    if (process->job.len > FRAME_MAX)
        return bind_fail(L, "too_large", "the code and its arguments take %zu MB (limit: %d)",
                         process->job.len >> 20, FRAME_MAX >> 20);
    process->caller.made = 0;
    process->caller.most = (unsigned)bind_number(L, 2, "calls", CALLS, 1, 1000000);
    process->guests = guests[bind_flag(L, 2, "heavy")];
    process->room = ROOM;
    process->left_out = process->between = 0;
    process->frames.len = 0;
    process->why = (struct error){ 0 };
    process->busy = true;
    lua_pushboolean(L, true);
    return 1;
}

/* --- a process ------------------------------------------------------------------------------ */

/* process:start() -> true | nil, text, code. What it says is heard until the running task ends. */
static int process_start(lua_State *L)
{
    static const struct guest_events events = { on_frame, on_ended, on_files };
    struct process *process = luaL_checkudata(L, 1, PROCESS);
    struct task *task = task_here(L);
    struct error err;

    if (!process->guest)
        process->guest = guest_new(process->guests, &events, process, &err);
    if (!process->guest)
        return bind_error(L, &err);
    task_confine(task);
    task_count_closings(task);
    process->hook.fn = on_task_end;
    task_at_end(task, &process->hook);
    process->calls.guest = process->guest;
    process->calls.task = task;
    process->calls.refused = 0;
    process->over = false;
    guest_send(process->guest, &process->job);
    task_pause_clock(task);
    process->timer = timer_after(process->loop, BEGIN_MS, begin_clock, process);
    lua_pushboolean(L, true);
    return 1;
}

static int next_after(lua_State *L, int status, lua_KContext context)
{
    struct process *process = lua_touserdata(L, 1);

    (void)status;
    (void)context;
    if (process->frames.len) {
        lua_pushlstring(L, process->frames.data, process->frames.len);
        process->frames.len = 0;
        return 1;
    }
    if (process->over)
        return process->why.code[0] ? bind_error(L, &process->why) : 0;
    process->op = (struct op){ task_here(L), stop_waiting, "the process of Python code", NULL };
    process->parked = true;
    return task_park_then(L, &process->op, 0, next_after);
}

/* process:next() -> frames | nothing, at the end of the code | nil, text, code */
static int process_next(lua_State *L)
{
    luaL_checkudata(L, 1, PROCESS);
    return next_after(L, LUA_OK, 0);
}

/* process:send(frames) */
static int process_send(lua_State *L)
{
    struct process *process = luaL_checkudata(L, 1, PROCESS);
    struct buf out = { 0 };
    size_t len;
    const char *frames = luaL_checklstring(L, 2, &len);

    buf_add(&out, frames, len);
    if (process->guest)
        guest_send(process->guest, &out);
    else
        buf_free(&out);
    return 0;
}

static int finish_after(lua_State *L, int status, lua_KContext context)
{
    struct process *process = lua_touserdata(L, 1);

    (void)status;
    (void)context;
    process->busy = process->kept = false;
    lua_pushlstring(L, process->frames.len ? process->frames.data : "", process->frames.len);
    lua_pushinteger(L, process->left_out);
    buf_free(&process->frames);
    return 2;
}

/* process:finish(kept) -> frames, left out. Waits for the files, and without `kept` for the end. */
static int process_finish(lua_State *L)
{
    struct process *process = luaL_checkudata(L, 1, PROCESS);

    stop_hearing(process);
    if (!process->guest)
        return finish_after(L, LUA_OK, 0);
    process->op = (struct op){ task_here(L), stop_waiting, "the files of Python code", NULL };
    process->kept = lua_toboolean(L, 2) && guest_ask_files(process->guest);
    if (!process->kept)
        guest_end(process->guest);
    process->parked = true;
    return task_park_then(L, &process->op, 0, finish_after);
}

/* process:alive() -> whether it has its variables */
static int process_alive(lua_State *L)
{
    const struct process *process = luaL_checkudata(L, 1, PROCESS);

    lua_pushboolean(L, process->guest != NULL);
    return 1;
}

/* process:close(), while a run is under way, too */
static int process_close(lua_State *L)
{
    struct process *process = luaL_checkudata(L, 1, PROCESS);

    end_process(process);
    error_set(&process->why, "cancelled", "the process of the code was ended");
    wake(process);
    return 0;
}

/* sys.python.layers() -> bits of enum jail_layer; nil: no process was made yet */
static int python_layers(lua_State *L)
{
    struct guests *const *guests = vm_service(L, &sys_python_key);
    unsigned layers;

    if (!guests || !guests_layers(guests[0], &layers))
        return 0;
    lua_pushinteger(L, layers);
    return 1;
}

static const luaL_Reg process_methods[] = {
    { "alive", process_alive },
    { "close", process_close },
    { "finish", process_finish },
    { "next", process_next },
    { "send", process_send },
    { "start", process_start },
    { NULL, NULL },
};

static const luaL_Reg process_meta[] = {
    { "__close", process_close },
    { "__gc", process_close },
    { NULL, NULL },
};

static const luaL_Reg python_funcs[] = {
    { "layers", python_layers },
    { "process", python_process },
    { "run", python_run },
    { NULL, NULL },
};

int luaopen_sys_python(lua_State *L)
{
    bind_metatable(L, PROCESS, process_meta, process_methods);
    luaL_newlib(L, python_funcs);
    return 1;
}
