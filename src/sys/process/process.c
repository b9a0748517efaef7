/* sys.process -- child processes by argument lists.
 *
 * The callbacks of the loop only collect bytes in C. The continuation, inside the task, makes Lua
 * values of them: there a lack of memory is an error of that task. child_object.c is for children
 * that tasks talk to. */
#include <lauxlib.h>
#include <stdio.h>

#include "base/dry_run.h"
#include "files/file.h"
#include "script/bind.h"
#include "sys/process/child_object.h"
#include "sys/process/launch.h"
#include "sys/process/result.h"
#include "sys/sys.h"

#define RUN_TYPE "sys.process.run"

enum { RUN_TIMEOUT_S = 30 };

enum { AT_SPEC = 1, AT_RUN };

struct process_run {
    struct op op;
    struct process *process; /* NULL: it ended */
    struct process_result result;
    struct buf out[2];
    uint64_t timeout_ms;
    char name[80];
};

static void process_run_close(struct process_run *run)
{
    process_free(run->process);
    run->process = NULL;
    buf_free(&run->out[0]);
    buf_free(&run->out[1]);
}

static int process_run_gc(lua_State *L)
{
    process_run_close(lua_touserdata(L, 1));
    return 0;
}

static void process_run_cancel(struct op *op)
{
    process_run_close(container_of(op, struct process_run, op));
}

static void on_run_output(void *arg, int fd, const char *ptr, size_t len)
{
    struct process_run *run = arg;

    buf_add(&run->out[fd - 1], ptr, len);
}

static void on_run_exited(void *arg, const struct process_result *result)
{
    struct process_run *run = arg;

    run->result = *result;
    process_free(run->process);
    run->process = NULL;
    task_wake(&run->op, 0);
}

/* --- results ---------------------------------------------------------------------- */

static void push_program_output(lua_State *L, struct buf *out, const char *name)
{
    lua_pushlstring(L, out->len ? out->data : "", out->len);
    lua_setfield(L, -2, name);
    buf_free(out);
}

static void push_timeout(lua_State *L, const struct process_run *run)
{
    struct str last = process_last_words(&run->out[1]);

    bind_fail(L, "timeout", "\"%s\" was stopped after %g s, its time limit%s%.*s", run->name,
              (double)run->timeout_ms / 1000, last.len ? ". Its last message: " : "", (int)last.len,
              last.ptr);
}

static int process_run_finish(lua_State *L, int status, lua_KContext context)
{
    struct process_run *run = lua_touserdata(L, AT_RUN);
    bool late = run->result.timed_out;

    (void)status;
    (void)context;
    if (late)
        push_timeout(L, run); /* ..., nil, text, code */
    process_push_result(L, &run->result);
    push_program_output(L, &run->out[0], "stdout");
    push_program_output(L, &run->out[1], "stderr");
    return late ? 4 : 1;
}

/* sys.process.run(spec) -> result | nil, text, code [, result so far] */
static int process_run(lua_State *L)
{
    static const struct process_events events = { .output = on_run_output,
                                                  .exited = on_run_exited };
    struct task *task = task_here(L);
    struct launch *launch;
    struct error err;
    struct process_run *run;

    lua_settop(L, AT_SPEC);
    run = lua_newuserdatauv(L, sizeof *run, 0); /* spec, run */
    *run = (struct process_run){ .op = { task, process_run_cancel, "the program", run->name } };
    luaL_setmetatable(L, RUN_TYPE);
    launch = launch_push(L, AT_SPEC, RUN_TIMEOUT_S); /* spec, run, launch */
    if (dry_run_refuses(&err, "start \"%.100s\"", launch->spec.argv[0]))
        return bind_error(L, &err);
    run->timeout_ms = launch->spec.timeout_ms;
    snprintf(run->name, sizeof run->name, "%s", launch->spec.argv[0]);
    run->process = process_start(vm_loop(vm_of(L)), &launch->spec, &events, run, &err);
    launch_done(launch);
    if (!run->process)
        return bind_error(L, &err);
    return task_park_then(L, &run->op, 0, process_run_finish);
}

/* sys.process.exists(program) -> boolean */
static int process_exists(lua_State *L)
{
    lua_pushboolean(L, file_on_path(luaL_checkstring(L, 1)));
    return 1;
}

static const luaL_Reg process_funcs[] = { { "exists", process_exists },
                                          { "run", process_run },
                                          { "start", process_start_child },
                                          { NULL, NULL } };

int luaopen_sys_process(lua_State *L)
{
    static const luaL_Reg run_meta[] = { { "__gc", process_run_gc }, { NULL, NULL } };

    bind_metatable(L, RUN_TYPE, run_meta, NULL);
    launch_init(L);
    process_child_init(L);
    luaL_newlib(L, process_funcs);
    return 1;
}
