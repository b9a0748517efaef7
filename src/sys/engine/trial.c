#include "sys/engine/trial.h"

#include "base/log.h"
#include "base/timer.h"
#include "guest/guest.h"
#include "script/bind.h"
#include "script/sandbox/sandbox.h"
#include "script/task.h"
#include "sys/engine/guest_job.h"
#include "sys/shared/guest_calls.h"
#include "sys/sys.h"

enum { LIMIT_MS = 20000 };

/* The call of a tool is answered here: the trial is about the jail, and needs no tool. */
static const char code[] =
    "pcall(tools.none, {})\n"
    "require('sys.time').sleep(0.001)\n"
    "local task = require 'sys.task'\n"
    "local _, text, code = task.with_timeout(0.005, function() while true do end end)\n"
    "assert(code == 'timeout', text)\n";

struct trial {
    struct op op;
    struct guest *guest; /* NULL: it has ended */
    struct timer *limit;
    struct error why; /* without a code if the script lived */
};

static const char lived_key, begun_key;

static bool registry_flag(lua_State *L, const void *key)
{
    bool set = lua_rawgetp(L, LUA_REGISTRYINDEX, key) != LUA_TNIL;

    lua_pop(L, 1);
    return set;
}

static void set_registry_flag(lua_State *L, const void *key)
{
    lua_pushboolean(L, true);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key); /* registry[key] = true */
}

static void clear_registry_flag(lua_State *L, const void *key)
{
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static void trial_end(struct trial *trial)
{
    guest_free(trial->guest);
    trial->guest = NULL;
    timer_forget(trial->limit);
    trial->limit = NULL;
}

static void trial_cancel(struct op *op)
{
    trial_end(container_of(op, struct trial, op));
}

static void trial_is_over(struct trial *trial)
{
    trial_end(trial);
    task_wake(&trial->op, 0);
}

static void on_trial_late(void *arg)
{
    struct trial *trial = arg;

    trial->limit = NULL;
    error_set(&trial->why, "timeout", "the script had no result after %d s", LIMIT_MS / 1000);
    trial_is_over(trial);
}

static void on_trial_done(struct trial *trial, struct bytes *from)
{
    if (bytes_get_u8(from)) {
        struct str text = bytes_get_str(from);

        error_set(&trial->why, "runtime", "the script failed: %.*s", (int)text.len,
                  text.ptr ? text.ptr : "");
    }
    trial_is_over(trial);
}

static void on_trial_frame(void *arg, struct frame *frame)
{
    struct trial *trial = arg;
    struct error none;

    if (frame->kind == FRAME_CALL) {
        error_set(&none, "not_found", "this script has no tools");
        guest_answer_failure(trial->guest, frame->id, &none);
    } else if (frame->kind == FRAME_DONE) {
        on_trial_done(trial, &frame->payload);
    }
}

static void on_trial_ended(void *arg, const struct error *err)
{
    struct trial *trial = arg;

    trial->guest = NULL;
    trial->why = *err;
    trial_is_over(trial);
}

static int trial_finish(lua_State *L, int status, lua_KContext context)
{
    struct trial *trial = (struct trial *)context;

    (void)status;
    if (trial->why.code[0])
        return bind_error(L, &trial->why);
    set_registry_flag(L, &lived_key);
    lua_pushboolean(L, true);
    return 1;
}

/* Writes the JOB frame, with nil as the argument. Sets err if it fails. */
static bool write_trial_job(lua_State *L, struct buf *out, struct error *err)
{
    const struct guest_job job = { .memory = GUEST_MEMORY,
                                   .output = GUEST_OUTPUT,
                                   .seconds = LIMIT_MS / 1000.0,
                                   .root = HOME_NONE,
                                   .name = "try_jail",
                                   .tool = "",
                                   .toolset = "",
                                   .code = STR(code) };

    lua_pushnil(L);
    return guest_job_write(L, &job, -1, out, err);
}

int engine_try_jail(lua_State *L)
{
    static const struct guest_events events = { on_trial_frame, on_trial_ended, NULL };
    struct guests *guests = vm_service(L, &sys_guests_key);
    struct task *task = task_here(L);
    struct buf *job;
    struct trial *trial;
    struct error err;

    if (!guests)
        return bind_fail(L, "not_supported", "this engine runs no scripts of clients");
    if (registry_flag(L, &lived_key)) {
        lua_pushboolean(L, true);
        return 1;
    }
    job = bind_buffer(L);
    trial = lua_newuserdatauv(L, sizeof *trial, 0);
    *trial = (struct trial){ .op = { task, trial_cancel, "the process of a script", NULL } };
    if (!write_trial_job(L, job, &err))
        return bind_error(L, &err);
    trial->guest = guest_new(guests, &events, trial, &err);
    if (!trial->guest)
        return bind_error(L, &err);
    trial->limit = timer_after(vm_loop(vm_of(L)), LIMIT_MS, on_trial_late, trial);
    guest_send(trial->guest, job);
    return task_park_then(L, &trial->op, (lua_KContext)trial, trial_finish);
}

/* True if the reason says something about how scripts run: a busy machine, or many scripts, do
 * not. */
static bool is_about_jail(const char *why)
{
    return strcmp(why, "timeout") != 0 && strcmp(why, "too_many_guests") != 0;
}

/* One that could not begin, as too many scripts ran, is made after another script. */
static void on_background_trial(void *arg, struct task *task, enum task_end end, int nresults)
{
    lua_State *L = task_lua(task);
    const char *why = end == TASK_DONE && nresults >= 2 ? lua_tostring(L, -1) : NULL;

    (void)arg;
    if (why && is_about_jail(why))
        log_error("scripts of clients do not run here as they should: %s", lua_tostring(L, -2));
    else if (why && strcmp(why, "too_many_guests") == 0)
        clear_registry_flag(L, &begun_key);
}

void trial_begin(lua_State *L)
{
    const struct task_spec spec = { .name = "try_jail", .ended = on_background_trial };
    struct task *task;
    struct error err;

    if (registry_flag(L, &begun_key) || registry_flag(L, &lived_key))
        return;
    set_registry_flag(L, &begun_key);
    lua_pushcfunction(L, engine_try_jail);
    task = task_new(L, 0, &spec, &err);
    if (task)
        task_go(task);
}
