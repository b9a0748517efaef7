/* A command that is a Lua file, run by lua/lib/cli/main.lua. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_run.h"
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "registry/mount.h"

/* A function of main.lua, and what it is called with. */
struct started {
    struct engine *engine;
    const struct common *common;
    int argc;
    char **argv;
    int module;     /* reference */
    char place[80]; /* where it computed when it was cancelled; "": it waited */
};

/* (started): takes the module that is on top of the main state */
static int keep_main_module(lua_State *L)
{
    struct started *started = lua_touserdata(L, 2);

    lua_settop(L, 1);
    started->module = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

/* (started) -> main.run, host, name, words */
static int push_main_run(lua_State *L)
{
    const struct started *started = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, started->module);
    lua_getfield(L, -1, "run");
    host_push(L, started->engine, started->argv[0], started->common);
    lua_pushstring(L, started->argv[0]);
    lua_createtable(L, started->argc - 1, 0); /* ..., run, host, name, words */
    for (int i = 1; i < started->argc; i++) {
        lua_pushstring(L, started->argv[i]);
        lua_rawseti(L, -2, i);
    }
    return 4;
}

/* (started) -> main.cancelled, place or nil */
static int push_cancelled(lua_State *L)
{
    const struct started *started = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, started->module);
    lua_getfield(L, -1, "cancelled");
    lua_pushstring(L, started->place[0] ? started->place : NULL);
    return 2;
}

/* *cancelled: somebody ended it. NULL: it runs on when nobody reads stdout. */
static int run_function(struct started *started, lua_CFunction push, bool *cancelled)
{
    static const char text[] = "local f = ... return f(select(2, ...))";
    struct script_spec spec = {
        .name = started->argv[0], .text = text, .len = sizeof text - 1, .reports = &host_reports
    };
    struct cli_run run;
    int status;

    cli_run_init(&run, started->engine, started->argv[0]);
    run.deaf = !cancelled;
    status = cli_run_script(&run, &spec, push, started);
    if (cancelled)
        *cancelled = run.cancelled;
    memcpy(started->place, run.place, sizeof started->place);
    return status;
}

/* Makes `module` of what registry_require() left. */
static bool require_main(struct started *started, struct error *err)
{
    struct vm *vm = engine_vm(started->engine);

    if (!registry_require(engine_registry(started->engine), 0, "cli.main", SANDBOX_LOAD_MS, err))
        return false;
    lua_pushcfunction(vm_lua(vm), keep_main_module);
    lua_insert(vm_lua(vm), -2);
    lua_pushlightuserdata(vm_lua(vm), started);
    return vm_call(vm, 2, 0, 0, err);
}

static int run_command_file(struct engine *engine, const struct common *common, int argc,
                            char **argv)
{
    struct started started = { engine, common, argc, argv, LUA_NOREF, "" };
    bool cancelled;
    struct error err;
    int status;

    if (!require_main(&started, &err))
        return report_error(argv[0], &err);
    status = run_function(&started, push_main_run, &cancelled);
    if (cancelled) /* it may have books to close */
        run_function(&started, push_cancelled, NULL);
    return cancelled && interrupt_signal() ? interrupt_status() : status;
}

/* --- a command that could not be started ------------------------------------------------ */

/* NULL: it was said why, and *status is the exit code. */
static struct engine *make_engine(struct common *common, int argc, char **argv, int *status)
{
    *status = EXIT_USAGE;
    if (!options_scan(argc, argv, common))
        return NULL;
    if (!command_is_file(argv[0], common)) {
        command_unknown(argv[0], common);
        return NULL;
    }
    if (!command_places(common, argv[0]))
        return NULL;
    *status = EXIT_FAILED;
    command_log_level(common);
    if (strcmp(argv[0], "__complete") != 0) /* a shell shows its stderr within the typed line */
        logging_settings();
    command_grant_here(common);
    return command_engine(common, argv[0], NULL, NULL);
}

int command_run_file(int argc, char **argv)
{
    struct common common = { .help = false };
    struct failure failure;
    struct engine *engine;
    int status;

    failure_watch(&failure, argc, argv);
    engine = make_engine(&common, argc, argv, &status);
    failure_end(&failure, engine ? EXIT_OK : status);
    if (engine)
        status = run_command_file(engine, &common, argc, argv);
    engine_free(engine);
    options_free(&common);
    return output_finish(argv[0], status);
}
