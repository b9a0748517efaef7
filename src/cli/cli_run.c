/* Running a script for a command, and waiting for its end. */
#include "cli/cli_run.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/timer.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "script/bind.h"
#include "script/show.h"
#include "script/tools_table.h"
#include "script/value.h"

enum { LOOK_MS = 10 }; /* at what closes */

static void on_run_print(void *arg, const char *text, size_t len)
{
    (void)arg;
    output_write(text, len);
    output_write("\n", 1);
}

/* --- what it returned --------------------------------------------------------------- */

static int tell_failure(const struct cli_run *run, lua_State *L, int index)
{
    size_t len;
    const char *text;

    if (lua_isnoneornil(L, index))
        return EXIT_FAILED;
    text = show_push(L, index, &len);
    output_message(run->command, "%s", text);
    return EXIT_FAILED;
}

static int print_value(const struct cli_run *run, lua_State *L, int index)
{
    struct buf *json = bind_buffer(L);
    struct error err;
    size_t len;
    const char *text;
    int status = EXIT_OK;

    if (!lua_istable(L, index) || tools_table_has_text(L, index)) {
        text = luaL_tolstring(L, index, &len);
        on_run_print(NULL, text, len);
    } else if (value_write_json(L, index, json, &err)) {
        on_run_print(NULL, json->data, json->len);
    } else {
        output_message(run->command, "the script returned a table that is not JSON: %s", err.text);
        status = EXIT_FAILED;
    }
    return status;
}

static int read_exit_value(const struct cli_run *run, lua_State *L)
{
    lua_Integer status;

    if (!lua_toboolean(L, 1))
        return lua_gettop(L) == 0 || (lua_isnil(L, 1) && lua_isnoneornil(L, 2))
                   ? EXIT_OK
                   : tell_failure(run, L, 2);
    if (lua_isboolean(L, 1))
        return EXIT_OK;
    if (!lua_isinteger(L, 1))
        return print_value(run, L, 1);
    status = lua_tointeger(L, 1);
    if (status >= 0 && status <= 255)
        return (int)status;
    output_message(run->command, "the script returned %lld; an exit status is 0 to 255",
                   (long long)status);
    return EXIT_FAILED;
}

struct exit_status {
    const struct cli_run *run;
    int status;
};

/* (exit status, results...) Protected, since it may allocate. */
static int read_run_results(lua_State *L)
{
    struct exit_status *exit = lua_touserdata(L, 1);

    lua_remove(L, 1);
    exit->status = read_exit_value(exit->run, L);
    return 0;
}

static int results_status(const struct cli_run *run, struct task *task, int nresults)
{
    struct exit_status exit = { run, EXIT_FAILED };
    struct vm *vm = engine_vm(run->engine);
    lua_State *L = vm_lua(vm), *from = task_lua(task);
    struct error err;

    if (!lua_checkstack(L, nresults + 8))
        nresults = 0;
    lua_pushcfunction(L, read_run_results);
    lua_pushlightuserdata(L, &exit);
    lua_xmove(from, L, nresults);
    if (!vm_call(vm, nresults + 1, 0, 0, &err))
        return report_error(run->command, &err);
    return exit.status;
}

/* --- how it ended ----------------------------------------------------------------------- */

static void print_failure(const struct cli_run *run, struct task *task)
{
    char *traceback = NULL;
    struct error err;

    task_error(task, &err, &traceback);
    output_flush(); /* its output comes first if both go to one place */
    if (traceback && strcmp(err.code, "memory") != 0)
        output_message(run->command, "%s", traceback);
    else
        report_error(run->command, &err);
    free(traceback);
}

static int end_status(enum task_end end)
{
    if (end == TASK_FAILED)
        return EXIT_FAILED;
    if (end == TASK_TIMED_OUT)
        return EXIT_TIMEOUT;
    return interrupt_signal() ? interrupt_status() : EXIT_FAILED;
}

static void end_run(struct cli_run *run)
{
    run->done = true;
    interrupt_wake(); /* the loop runs timers before it waits, and would wait now */
}

static void on_cli_run_ended(void *arg, struct task *task, enum task_end how, int nresults)
{
    struct cli_run *run = arg;
    struct error err;

    end_run(run);
    if (how == TASK_DONE) {
        run->status = results_status(run, task, nresults);
        return;
    }
    run->status = end_status(how);
    if (task_place(task))
        snprintf(run->place, sizeof run->place, "%s", task_place(task));
    if (how == TASK_FAILED) {
        print_failure(run, task);
    } else if (how == TASK_TIMED_OUT) {
        task_end_error(task, how, &err);
        output_flush();
        report_error(run->command, &err);
    }
}

/* --- its life --------------------------------------------------------------------------- */

static void cancel_run(struct cli_run *run)
{
    if (run->done || run->cancelled)
        return;
    run->cancelled = true;
    script_cancel(run->script);
}

static void on_run_interrupt(void *arg)
{
    cancel_run(arg);
}

void cli_run_init(struct cli_run *run, struct engine *engine, const char *command)
{
    *run = (struct cli_run){ .engine = engine, .command = command };
    interrupt_start(engine_loop(engine), on_run_interrupt, run);
}

/* require("perigee").args = { [0] = name, ... } */
int cli_run_push_args(lua_State *L)
{
    const struct cli_args *args = lua_touserdata(L, 1);

    luaL_checkstack(L, args->count + 16, "too many arguments");
    vm_push_module(L, "perigee");       /* perigee */
    lua_createtable(L, args->count, 1); /* perigee, args */
    lua_pushstring(L, args->name);
    lua_rawseti(L, -2, 0);
    for (int i = 0; i < args->count; i++) {
        lua_pushstring(L, args->values[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushvalue(L, -1); /* perigee, args, args */
    lua_setfield(L, -3, "args");
    for (int i = 0; i < args->count; i++)
        lua_rawgeti(L, 3, i + 1);
    return args->count;
}

static void on_run_look_due(void *arg)
{
    *(bool *)arg = true;
}

/* Waits for the script's __close handlers after the script was stopped; each has its time. A second
 * Ctrl-C ends the program. */
static void wait_for_closing(struct cli_run *run)
{
    uv_loop_t *loop = engine_loop(run->engine);
    struct timer *timer = NULL;
    bool looked = true;

    while (task_has_closer(engine_vm(run->engine))) {
        if (looked)
            timer = timer_after(loop, LOOK_MS, on_run_look_due, &looked);
        looked = false;
        output_flush();
        uv_run(loop, UV_RUN_ONCE);
    }
    if (!looked)
        timer_forget(timer);
}

/* Files are reloaded once any were loaded. */
static void wait_for_run_end(struct cli_run *run)
{
    while (!run->done) {
        if (!output_flush() && !run->deaf)
            cancel_run(run);
        if (registry_loaded(engine_registry(run->engine)))
            engine_settle(run->engine, NULL);
        if (!run->done)
            uv_run(engine_loop(run->engine), UV_RUN_ONCE);
    }
    wait_for_closing(run);
    interrupt_stop();
}

int cli_run_script(struct cli_run *run, const struct script_spec *given, lua_CFunction push,
                   void *job)
{
    struct vm *vm = engine_vm(run->engine);
    lua_State *L = vm_lua(vm);
    int top = lua_gettop(L);
    struct script_spec spec = *given;
    struct error err;

    vm_print_to(vm, on_run_print);
    spec.print = on_run_print;
    spec.ended = on_cli_run_ended;
    spec.arg = run;
    if (vm_push(vm, L, push, job, LUA_MULTRET, &err))
        run->script = script_run(engine_registry(run->engine), L, lua_gettop(L) - top, &spec, &err);
    if (!run->script && !run->done) {
        end_run(run);
        run->status = report_error(run->command, &err);
    }
    wait_for_run_end(run);
    return run->status;
}
