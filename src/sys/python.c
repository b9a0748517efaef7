/* sys.python -- Python code in a process of its own, which is killed when the run is over or kept
 * by a session.
 *
 * A run is a task that waits for the process, as that of a script (sys/engine/guest_run.c): its
 * time stands still while one of its tool calls waits for a person, and its calls end with it. What
 * the process says is not trusted, and counted here. Lua (lua/lib/python) knows what it means. */
#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "guest/guest.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/shared/guest_calls.h"
#include "sys/sys.h"

#define SESSION "sys.python.Session"
#define RUN     "sys.python.run"

const char sys_python_key;

enum {
    IDLE_MS = 10 * 60 * 1000, /* without code, after which the server is ended */
    SECONDS_MOST = 86400,
    HARD_MS = 100, /* ... after the time of a run, when code that does not end itself is killed */
    BEGIN_MS = 10000,       /* for the process to come to the code, where its time begins */
    OUTPUT_MOST = 16 << 20, /* bytes */
    CALLS = 1000,
    THINGS = 34, /* frames of files (32, and the server's note), of images, and the last one ... */
    THINGS_BYTES = 20 << 20,
    FRAMES_BETWEEN = 1000, /* frames of a session between two runs; with more it ends */
};

/* The process of one run, or of a session. */
struct process {
    struct guest *guest; /* NULL: it has ended, or was not started */
    struct run *run;     /* NULL: between two runs */
    unsigned between;
};

struct run {
    struct tool_caller caller; /* first: the context of its tasks */
    struct op op;              /* the wait of the task that asked */
    struct op inner;           /* the wait of the task that waits for the process */
    uv_loop_t *loop;
    struct process alone, *process;
    struct guest_calls calls;
    struct task *task;   /* the inner task; NULL: it has ended */
    struct timer *timer; /* until the clock begins, or to wake the task that asked; or NULL */
    struct buf job, frames;
    size_t output_left, things_left; /* bytes */
    unsigned things, left_out;
    bool parked, over, done, closing, given_up;
    struct error why; /* without a code if the code came to its end */
};

/* --- the end of a process, and of a run --------------------------------------------- */

static void process_end(struct process *process)
{
    guest_free(process->guest);
    *process = (struct process){ 0 };
}

static void stop_timer(struct run *run)
{
    timer_forget(run->timer);
    run->timer = NULL;
}

static void wake_asker(void *arg)
{
    struct run *run = arg;

    run->timer = NULL;
    run->process->run = NULL;
    task_wake(&run->op, 0);
}

static bool is_kept(const struct run *run)
{
    return run->process != &run->alone && run->done && !run->why.code[0];
}

/* The inner task has ended. The process stays only for a session, and only if it has said that the
 * code came to its end; its files come last in any case. */
static void run_close(struct run *run)
{
    struct guest *guest = run->process->guest;

    run->closing = true;
    guest_calls_end(&run->calls);
    stop_timer(run);
    if (run->given_up)
        process_end(run->process);
    else if (!guest)
        wake_asker(run);
    else if (!is_kept(run) || !guest_ask_files(guest))
        guest_end(guest);
}

static void wake_run(struct run *run)
{
    if (run->parked)
        task_wake(&run->inner, 0);
    run->parked = false;
}

static void run_is_over(struct run *run)
{
    run->over = true;
    wake_run(run);
}

static int run_gc(lua_State *L)
{
    struct run *run = lua_touserdata(L, 1);

    buf_free(&run->job);
    buf_free(&run->frames);
    return 0;
}

static void inner_cancel(struct op *op)
{
    container_of(op, struct run, inner)->parked = false; /* on_run_ended() does the rest */
}

static void outer_cancel(struct op *op)
{
    struct run *run = container_of(op, struct run, op);

    run->given_up = true;
    stop_timer(run);
    if (run->task)
        task_cancel(run->task);
    else
        process_end(run->process);
}

/* --- frames of the process ----------------------------------------------------------- */

static void clock_begins(void *arg)
{
    struct run *run = arg;

    stop_timer(run);
    task_resume_clock(run->inner.task);
}

/* Keeps a frame for Lua, unless there is too much of its kind. */
static void keep_frame(struct run *run, const struct frame *frame)
{
    size_t len = frame->payload.left.len + FRAME_HEAD, begun;
    bool is_output = frame->kind == FRAME_OUTPUT;
    size_t *left = is_output ? &run->output_left : &run->things_left;

    if (len > *left || (!is_output && run->things >= THINGS)) {
        run->left_out++;
        return;
    }
    *left -= len;
    run->things += !is_output;
    begun = frame_begin(&run->frames, frame->kind, frame->id);
    buf_add(&run->frames, frame->payload.left.ptr, frame->payload.left.len);
    frame_end(&run->frames, begun);
    wake_run(run);
}

static void on_run_frame(struct run *run, struct frame *frame)
{
    if (run->timer)
        clock_begins(run);
    switch (frame->kind) {
    case FRAME_CALL:
        if (!guest_calls_make(&run->calls, frame, &run->why))
            run_is_over(run);
        break;
    case FRAME_CANCEL:
        guest_calls_cancel(&run->calls, frame->id);
        break;
    case FRAME_DONE:
        run->things = 0; /* it comes through in any case */
        run->things_left = THINGS_BYTES;
        run->done = true;
        keep_frame(run, frame);
        run_is_over(run);
        break;
    case FRAME_TOOLS:
    case FRAME_OUTPUT:
    case FRAME_PICTURE:
        keep_frame(run, frame);
        break;
    default:
        error_set(&run->why, "bad_frame", "the process of the code said what only the engine says");
        run_is_over(run);
    }
}

static void on_process_frame(void *arg, struct frame *frame)
{
    struct process *process = arg;

    if (process->run && !process->run->over)
        on_run_frame(process->run, frame);
    else if (!process->run && ++process->between > FRAMES_BETWEEN)
        process_end(process);
}

static void on_process_ended(void *arg, const struct error *err)
{
    struct process *process = arg;
    struct run *run = process->run;

    process->guest = NULL;
    if (!run)
        return;
    if (!run->over && !run->why.code[0])
        run->why = *err;
    if (!run->closing)
        run_is_over(run);
    else if (!run->timer)
        wake_asker(run);
}

/* The task that asked may free the guest, which may not be here: it is woken later. */
static void on_process_files(void *arg, struct frame *frame, int count)
{
    struct run *run = ((struct process *)arg)->run;

    (void)count;
    if (run && frame)
        keep_frame(run, frame);
    else if (run && run->closing && is_kept(run))
        run->timer = timer_after(run->loop, 0, wake_asker, run);
}

/* --- the inner task --------------------------------------------------------------------- */

static int send_reply(lua_State *L, int status, lua_KContext context);

/* Gives on_frames() the frames that have come, until the run is over. */
static int run_step(lua_State *L, int status, lua_KContext context)
{
    struct run *run = (struct run *)context;

    (void)status;
    lua_settop(L, 2); /* run, on_frames */
    if (run->frames.len && !run->over) {
        lua_pushvalue(L, 2);
        lua_pushlstring(L, run->frames.data, run->frames.len);
        run->frames.len = 0;
        lua_callk(L, 1, 1, context, send_reply);
        return send_reply(L, LUA_OK, context);
    }
    if (run->over)
        return 0;
    run->parked = true;
    return task_park_then(L, &run->inner, context, run_step);
}

static int send_reply(lua_State *L, int status, lua_KContext context)
{
    struct run *run = (struct run *)context;
    struct buf out = { 0 };
    struct str text = { 0 };

    text.ptr = lua_tolstring(L, -1, &text.len);
    if (text.ptr && run->process->guest) {
        buf_add(&out, text.ptr, text.len);
        guest_send(run->process->guest, &out);
    }
    return run_step(L, status, context);
}

/* The function of the inner task, called with (run, on_frames). */
static int inner_body(lua_State *L)
{
    static const struct guest_events events = { on_process_frame, on_process_ended,
                                                on_process_files };
    struct run *run = lua_touserdata(L, 1);
    struct process *process = run->process;

    run->inner = (struct op){ task_here(L), inner_cancel, "the process of Python code", NULL };
    if (!process->guest)
        process->guest = guest_new(vm_service(L, &sys_python_key), &events, process, &run->why);
    if (!process->guest)
        return 0;
    process->run = run;
    process->between = 0;
    run->calls.guest = process->guest;
    run->calls.task = run->inner.task;
    guest_send(process->guest, &run->job);
    task_pause_clock(run->inner.task);
    run->timer = timer_after(run->loop, BEGIN_MS, clock_begins, run);
    return run_step(L, LUA_OK, (lua_KContext)run);
}

static void on_run_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct run *run = arg;

    (void)nresults;
    run->task = NULL;
    if (end == TASK_FAILED)
        task_error(task, &run->why, NULL);
    else if (end != TASK_DONE)
        task_end_error(task, end, &run->why);
    run_close(run);
}

/* --- sys.python.run -------------------------------------------------------------------- */

/* Runs in the asking task, where a lack of memory while values are made can be caught. */
static int run_finish(lua_State *L, int status, lua_KContext context)
{
    struct run *run = (struct run *)context;

    (void)status;
    lua_pushlstring(L, run->frames.len ? run->frames.data : "", run->frames.len);
    lua_pushinteger(L, run->left_out);
    if (!run->why.code[0])
        return 2;
    lua_pushstring(L, run->why.text);
    lua_pushstring(L, run->why.code);
    return 4;
}

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

/* Pushes the run, a userdata that stays on the stack until the end, with its JOB frame. */
static struct run *push_run(lua_State *L, struct task *task, struct process *session)
{
    static const luaL_Reg meta[] = { { "__gc", run_gc }, { NULL, NULL } };
    struct run *run = lua_newuserdatauv(L, sizeof *run, 0);
    struct str job;
    size_t begun;

    *run = (struct run){ .op = { task, outer_cancel, OP_TASKS, NULL } };
    run->process = session ? session : &run->alone;
    bind_metatable(L, RUN, meta, NULL);
    luaL_setmetatable(L, RUN);
    run->loop = vm_loop(vm_of(L));
    run->things_left = THINGS_BYTES;
    guest_calls_init(&run->calls, sys_registry(L), &run->caller, write_dict);
    job.ptr = bind_text(L, 2, "job", &job.len);
    begun = frame_begin(&run->job, FRAME_JOB, 0);
    bytes_str(&run->job, job.ptr ? job : STR(""));
    frame_end(&run->job, begun);
    return run;
}

/* sys.python.run(code, options) -> frames, left out [, text, code] | nil, text, code. The code is
 * in the job as well: here the policy sees it. */
static int python_run(lua_State *L)
{
    static const char *const names[] = { "calls",   "job",     "on_frames", "output",
                                         "seconds", "session", NULL };
    struct task *task = task_here(L);
    struct task_spec spec = { .name = "python", .parent = task, .ended = on_run_ended };
    struct process *session;
    struct run *run;
    struct error err;

    luaL_checkstring(L, 1);
    bind_check_fields(L, 2, names);
    lua_settop(L, 2);
    lua_getfield(L, 2, "session");
    session = luaL_testudata(L, -1, SESSION);
    lua_pop(L, 1); /* the table keeps it */
    if (session && session->run)
        return bind_fail(L, "busy", "code of this session runs already. Wait for its result");
    if (!vm_service(L, &sys_python_key))
        return bind_fail(L, "not_supported", "this engine runs no Python");
    spec.timeout_ms =
        (uint64_t)ceil(bind_number(L, 2, "seconds", 60, 0.001, SECONDS_MOST) * 1000) + HARD_MS;
    run = push_run(L, task, session); /* code, options, run */
    run->caller.most = (unsigned)bind_number(L, 2, "calls", CALLS, 1, 1000000);
    run->output_left = (size_t)bind_number(L, 2, "output", OUTPUT_MOST, 1, 2.0 * OUTPUT_MOST);
    if (run->job.len > FRAME_MAX)
        return bind_fail(L, "too_large", "the code and its arguments take %zu MB (limit: %d)",
                         run->job.len >> 20, FRAME_MAX >> 20);
    spec.context = spec.arg = run;
    lua_pushcfunction(L, inner_body);
    lua_pushlightuserdata(L, run);
    lua_getfield(L, 2, "on_frames");
    run->task = task_new(L, 2, &spec, &err);
    if (!run->task)
        return bind_error(L, &err);
    task_confine(run->task);
    task_count_closings(run->task);
    task_go(run->task); /* queued: this task is running */
    return task_park_then(L, &run->op, (lua_KContext)run, run_finish);
}

/* --- sessions, and what there is ------------------------------------------------------------ */

/* sys.python.session() -> session, whose process starts with its first run */
static int python_session(lua_State *L)
{
    struct process *session = lua_newuserdatauv(L, sizeof *session, 0);

    *session = (struct process){ 0 };
    luaL_setmetatable(L, SESSION);
    return 1;
}

/* session:alive() -> whether it has its variables */
static int session_alive(lua_State *L)
{
    const struct process *session = luaL_checkudata(L, 1, SESSION);

    lua_pushboolean(L, session->guest != NULL);
    return 1;
}

static int session_close(lua_State *L)
{
    struct process *session = luaL_checkudata(L, 1, SESSION);

    if (!session->run)
        process_end(session);
    else if (session->run->task)
        task_cancel(session->run->task);
    return 0;
}

/* sys.python.layers() -> bits of enum jail_layer; nil: no process was made yet */
static int python_layers(lua_State *L)
{
    const struct guests *guests = vm_service(L, &sys_python_key);
    unsigned layers;

    if (!guests || !guests_layers(guests, &layers))
        return 0;
    lua_pushinteger(L, layers);
    return 1;
}

struct guests *python_guests_new(uv_loop_t *loop)
{
    static char interpreter[PATH_MAX];
    static const char *const words[] = { "--python-server", interpreter, NULL };
    static const struct guest_kind kind = { "Python", words, interpreter, IDLE_MS, true };
    const char *set = getenv("PERIGEE_CODE_PYTHON");
    struct stat found;

    if (!set || !*set)
        set = "python3";
    snprintf(interpreter, sizeof interpreter, "%s%s", set,
             stat(set, &found) == 0 && S_ISDIR(found.st_mode) ? "/bin/python3" : "");
    return guests_new(loop, &kind);
}

static const luaL_Reg session_methods[] = {
    { "alive", session_alive },
    { "close", session_close },
    { NULL, NULL },
};

static const luaL_Reg session_meta[] = {
    { "__close", session_close },
    { "__gc", session_close },
    { NULL, NULL },
};

static const luaL_Reg python_funcs[] = {
    { "layers", python_layers },
    { "run", python_run },
    { "session", python_session },
    { NULL, NULL },
};

int luaopen_sys_python(lua_State *L)
{
    bind_metatable(L, SESSION, session_meta, session_methods);
    luaL_newlib(L, python_funcs);
    return 1;
}
