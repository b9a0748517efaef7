/* sys.engine.run_lua -- a script of a client's, or a foreign tool, in a guest's process.
 *
 * It runs as a task that waits for the guest, so that its time stands still while one of its tool
 * calls waits for a person, and its calls end with it. What the guest says is not trusted: calls
 * are counted and checked here, its output is cut here, and it is killed when its task ends. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "guest/guest.h"
#include "registry/call/outcome.h"
#include "script/bind.h"
#include "script/packed.h"
#include "sys/engine/guest_job.h"
#include "sys/engine/guest_report.h"
#include "sys/engine/pieces.h"
#include "sys/engine/trial.h"
#include "sys/shared/guest_calls.h"
#include "sys/shared/policy_runs.h"
#include "sys/shared/tool_call.h"
#include "sys/sys.h"

const char sys_guests_key;

enum {
    GUEST_TIMEOUT_S = 30,
    GUEST_CALLS = 1000,
};

struct guest_run {
    struct tool_caller caller; /* first: the context of its tasks */
    struct op op;              /* the wait of the task that asked */
    struct op inner;           /* the wait of the task that waits for the guest */
    struct guests *guests;
    struct registry *registry;
    struct guest *guest; /* NULL: it has ended, or was not started */
    struct task *task;   /* the inner task; NULL: it has ended */
    struct buf job, output, result;
    size_t output_max;
    bool truncated, failed;
    struct error why; /* why it failed; without a code if the guest said so itself */
    struct guest_calls calls;
    struct guest_report report;
};

/* --- the end ------------------------------------------------------------------------------ */

static void end_guest(struct guest_run *run)
{
    guest_free(run->guest);
    run->guest = NULL;
    guest_calls_end(&run->calls);
}

static void guest_run_is_over(struct guest_run *run)
{
    end_guest(run);
    task_wake(&run->inner, 0);
}

static int guest_run_gc(lua_State *L)
{
    struct guest_run *run = lua_touserdata(L, 1);

    buf_free(&run->job);
    buf_free(&run->output);
    buf_free(&run->result);
    free(run->report.name);
    return 0;
}

static void inner_cancel(struct op *op)
{
    end_guest(container_of(op, struct guest_run, inner));
}

static void outer_cancel(struct op *op)
{
    struct guest_run *run = container_of(op, struct guest_run, op);
    struct task *task = run->task;

    run->task = NULL;
    if (task)
        task_cancel(task);
}

/* --- other requests of the guest ------------------------------------------------ */

struct names {
    const struct generation *generation;
    struct call *call; /* or NULL */
    struct buf out;
};

/* Mounted servers and foreign files chose their tools' names, which may say anything. */
static void note_name(struct call *call, const struct entry *entry)
{
    if (call && (!entry->libs || entry->foreign))
        policy_runs_read(call, FROM_MOUNT, entry->libs ? NULL : entry->toolset, NULL);
}

/* Called through vm_call() with (names). */
static int pack_names(lua_State *L)
{
    struct names *names = lua_touserdata(L, 1);
    struct error err;
    lua_Integer n = 0;

    lua_newtable(L);
    for (size_t i = 0; i < names->generation->count; i++) {
        const struct entry *entry = names->generation->entries[i];

        if (!entry_offered(entry))
            continue;
        note_name(names->call, entry);
        lua_pushstring(L, entry->name);
        lua_rawseti(L, -2, ++n);
    }
    packed_write(L, -1, &names->out, &err);
    return 0;
}

static void on_tools(struct guest_run *run, uint32_t id)
{
    struct vm *vm = registry_vm(run->registry);
    struct names names = { .generation = registry_current(run->registry),
                           .call = call_above(run->task) };
    size_t begun = frame_begin(&names.out, FRAME_NAMES, id);
    struct error err;

    if (!vm_run(vm, pack_names, &names, &err)) {
        buf_free(&names.out);
        run->why = err;
        guest_run_is_over(run);
        return;
    }
    frame_end(&names.out, begun);
    guest_send(run->guest, &names.out);
}

static void on_guest_print(struct guest_run *run, struct str text)
{
    size_t room = run->output_max - run->output.len;

    if (text.len + 1 > room) {
        run->truncated = true;
        text.len = room ? room - 1 : 0;
        if (!room)
            return;
    }
    buf_add(&run->output, text.ptr, text.len);
    buf_addc(&run->output, '\n');
}

static void on_run_frame(void *arg, struct frame *frame)
{
    struct guest_run *run = arg;

    switch (frame->kind) {
    case FRAME_CALL:
        if (!guest_calls_make(&run->calls, frame, &run->why))
            guest_run_is_over(run);
        break;
    case FRAME_CANCEL:
        guest_calls_cancel(&run->calls, frame->id);
        break;
    case FRAME_FIND:
        guest_answer_find(run->guest, frame, registry_find_lib, run->registry);
        break;
    case FRAME_TOOLS:
        on_tools(run, frame->id);
        break;
    case FRAME_PRINT:
        on_guest_print(run, bytes_get_str(&frame->payload));
        break;
    case FRAME_LOG:
    case FRAME_PROGRESS:
    case FRAME_NOTE:
        guest_report(&run->report, registry_vm(run->registry), frame);
        break;
    case FRAME_DONE:
        if (frame->payload.left.len > FRAME_GUEST_MAX)
            error_set(&run->why, "bad_frame", "the script's process said more than it may");
        run->failed = bytes_get_u8(&frame->payload);
        if (!run->why.code[0])
            buf_add(&run->result, frame->payload.left.ptr, frame->payload.left.len);
        guest_run_is_over(run);
        break;
    default:
        error_set(&run->why, "bad_frame", "the script's process said what only the engine says");
        guest_run_is_over(run);
    }
}

static void on_run_guest_ended(void *arg, const struct error *err)
{
    struct guest_run *run = arg;

    run->guest = NULL;
    run->why = *err;
    guest_run_is_over(run);
}

/* --- the inner task ------------------------------------------------------------- */

static int inner_finish(lua_State *L, int status, lua_KContext context)
{
    (void)L;
    (void)status;
    (void)context;
    return 0;
}

/* The function of the inner task, called with (run). */
static int inner_body(lua_State *L)
{
    static const struct guest_events events = { on_run_frame, on_run_guest_ended, NULL };
    struct guest_run *run = lua_touserdata(L, 1);

    run->inner = (struct op){ task_here(L), inner_cancel, "the process of its script", NULL };
    run->guest = guest_new(run->guests, &events, run, &run->why);
    if (!run->guest)
        return 0;
    run->calls.guest = run->guest;
    run->calls.task = run->inner.task;
    guest_send(run->guest, &run->job);
    return task_park_then(L, &run->inner, 0, inner_finish);
}

static void on_guest_run_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct guest_run *run = arg;

    (void)nresults;
    if (!run->task)
        return; /* the asking task was cancelled */
    run->task = NULL;
    if (end == TASK_FAILED)
        task_error(task, &run->why, NULL);
    else if (end != TASK_DONE)
        task_end_error(task, end, &run->why);
    task_wake(&run->op, 0);
}

/* --- sys.engine.run_lua --------------------------------------------------------- */

static void push_run_output(lua_State *L, const struct guest_run *run)
{
    lua_pushlstring(L, run->output.len ? run->output.data : "", run->output.len);
}

static int push_run_failure(lua_State *L, struct guest_run *run)
{
    struct bytes from = { buf_str(&run->result), false };
    struct str text = bytes_get_str(&from), code = bytes_get_str(&from);

    if (run->why.code[0]) {
        text = str_from(run->why.text);
        code = str_from(run->why.code);
    } else if (!text.len) { /* otherwise the text of the guest says why */
        text = STR("the script's process failed without a word");
        code = STR("bad_frame");
    }
    lua_pushnil(L);
    lua_pushlstring(L, text.len ? text.ptr : "", text.len);
    lua_pushlstring(L, code.len ? code.ptr : "", code.len);
    push_run_output(L, run);
    return 4;
}

/* Runs in the asking task, where a lack of memory while values are made can be caught. */
static int guest_run_finish(lua_State *L, int status, lua_KContext context)
{
    struct guest_run *run = (struct guest_run *)context;
    struct str value = buf_str(&run->result);

    (void)status;
    if (run->failed || run->why.code[0])
        return push_run_failure(L, run);
    lua_createtable(L, 0, 4); /* result */
    push_run_output(L, run);
    lua_setfield(L, -2, "output");
    lua_pushboolean(L, run->truncated);
    lua_setfield(L, -2, "truncated");
    lua_pushinteger(L, run->caller.made);
    lua_setfield(L, -2, "calls");
    if (!packed_push(L, &value, &run->why))
        return push_run_failure(L, run);
    lua_setfield(L, -2, "value");
    trial_begin(L);
    return 1;
}

/* Reads a number from the options, within bounds. */
static double number_option(lua_State *L, const char *name, double absent, double max)
{
    double value = absent;

    if (lua_istable(L, 2)) {
        if (lua_getfield(L, 2, name) != LUA_TNIL) {
            value = luaL_checknumber(L, -1);
            if (!(value > 0 && value <= max))
                luaL_error(L, "%s must be more than 0 and at most %f", name, max);
        }
        lua_pop(L, 1);
    }
    return value;
}

static bool bool_option(lua_State *L, const char *name)
{
    bool value = false;

    if (lua_istable(L, 2)) {
        lua_getfield(L, 2, name);
        value = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    return value;
}

/* Pushes the run: a userdata that stays on the stack until the end. */
static struct guest_run *push_guest_run(lua_State *L, struct task *task)
{
    static const luaL_Reg meta[] = { { "__gc", guest_run_gc }, { NULL, NULL } };
    struct guest_run *run = lua_newuserdatauv(L, sizeof *run, 0);

    *run = (struct guest_run){ .op = { task, outer_cancel, OP_TASKS, NULL } };
    bind_metatable(L, "sys.engine.run", meta, NULL);
    luaL_setmetatable(L, "sys.engine.run");
    run->guests = vm_service(L, &sys_guests_key);
    run->registry = sys_registry(L);
    guest_calls_init(&run->calls, run->registry, &run->caller, packed_write);
    return run;
}

static int root_option(lua_State *L)
{
    int root;

    lua_getfield(L, 2, "root");
    root = (int)luaL_checkinteger(L, -1);
    lua_settop(L, 3);
    return root;
}

static const char *text_option(lua_State *L, const char *name, const char *absent)
{
    const char *text = absent;

    if (lua_istable(L, 2) && lua_getfield(L, 2, name) != LUA_TNIL)
        text = luaL_checkstring(L, -1); /* the table keeps it */
    lua_settop(L, 3);
    return text;
}

/* Reads the call that a foreign tool's function gets. */
static void read_tool_call(lua_State *L, struct guest_run *run)
{
    if (!lua_istable(L, 2) || lua_getfield(L, 2, "call") == LUA_TNIL) {
        lua_settop(L, 3);
        return;
    }
    lua_insert(L, 1);
    run->report.handle = *call_check_handle(L);
    lua_remove(L, 1);
}

/* Writes the JOB frame. (code, options, run) are on the stack. */
static bool write_run_job(lua_State *L, struct guest_run *run, double seconds, struct error *err)
{
    struct guest_job job = { .seconds = seconds, .root = HOME_NONE, .output = run->output_max };
    bool ok;

    job.code.ptr = lua_tolstring(L, 1, &job.code.len);
    job.memory = (size_t)number_option(L, "memory", GUEST_MEMORY, 1 << 30);
    job.as_text = bool_option(L, "as_text");
    job.name = text_option(L, "name", "run_lua");
    job.tool = text_option(L, "tool", "");
    job.toolset = text_option(L, "toolset", "");
    if (*job.tool)
        job.root = root_option(L);
    run->report.name = mem_strdup(*job.tool ? job.tool : "run_lua");
    if (lua_istable(L, 2))
        lua_getfield(L, 2, "args");
    else
        lua_pushnil(L);
    ok = guest_job_write(L, &job, -1, &run->job, err);
    lua_pop(L, 1);
    return ok;
}

/* sys.engine.run_lua(code [, options]) -> result | nil, text, code, output */
int engine_run_lua(lua_State *L)
{
    static const char *const names[] = { "args",   "as_text", "call", "calls",   "memory",  "name",
                                         "output", "root",    "tool", "toolset", "timeout", NULL };
    double seconds = number_option(L, "timeout", GUEST_TIMEOUT_S, 86400);
    struct task *task = task_here(L);
    struct guest_run *run;
    struct error err;

    luaL_checkstring(L, 1);
    bind_check_options(L, 2, names);
    lua_settop(L, 2);
    run = push_guest_run(L, task); /* code, options, run */
    if (!run->guests)
        return bind_fail(L, "not_supported", "this engine runs no scripts of clients");
    run->caller.most = (unsigned)number_option(L, "calls", GUEST_CALLS, 1000000);
    run->output_max = (size_t)number_option(L, "output", GUEST_OUTPUT, 16 << 20);
    read_tool_call(L, run);
    if (!write_run_job(L, run, seconds, &err))
        return bind_error(L, &err);
    lua_pushcfunction(L, inner_body);
    lua_pushlightuserdata(L, run);
    run->task = task_new(L, 1,
                         &(struct task_spec){ .name = "run_lua",
                                              .timeout_ms = (uint64_t)ceil(seconds * 1000),
                                              .parent = task,
                                              .context = run,
                                              .ended = on_guest_run_ended,
                                              .arg = run },
                         &err);
    if (!run->task)
        return bind_error(L, &err);
    task_confine(run->task);
    task_count_closings(run->task);
    task_go(run->task); /* queued: this task is running */
    return task_park_then(L, &run->op, (lua_KContext)run, guest_run_finish);
}
