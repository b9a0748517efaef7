/* A command that is a Lua file, run by lua/lib/cli/main.lua. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli_run.h"
#include "cli/command.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "json/writer.h"
#include "registry/mount.h"

/* main.run(host, name, words), or main.cancelled(): *cancelled: somebody ended it. NULL: it runs
 * on when nobody reads stdout. */
static int run_function(struct engine *engine, int module, const char *function, int nargs,
                        const char *command, bool *cancelled)
{
    static const char text[] = "local f = ... return f(select(2, ...))";
    struct script_spec spec = {
        .name = command, .text = text, .len = sizeof text - 1, .reports = &host_reports
    };
    struct cli_run run;
    lua_State *L = vm_lua(engine_vm(engine));
    int status;

    cli_run_init(&run, engine, command);
    run.deaf = !cancelled;
    lua_rawgeti(L, LUA_REGISTRYINDEX, module); /* arguments, module */
    lua_getfield(L, -1, function);             /* arguments, module, f */
    lua_remove(L, -2);
    lua_insert(L, -nargs - 1); /* f, arguments */
    run.nargs = nargs + 1;
    status = cli_run_script(&run, &spec);
    if (cancelled)
        *cancelled = run.cancelled;
    return status;
}

static void push_arguments(struct engine *engine, const struct common *common, int argc,
                           char **argv)
{
    lua_State *L = vm_lua(engine_vm(engine));

    host_push(engine, argv[0], common); /* host */
    lua_pushstring(L, argv[0]);
    lua_createtable(L, argc - 1, 0); /* host, name, words */
    for (int i = 1; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i);
    }
}

static int run(struct engine *engine, const struct common *common, int argc, char **argv)
{
    lua_State *L = vm_lua(engine_vm(engine));
    bool cancelled;
    struct error err;
    int module, status;

    if (!registry_require(engine_registry(engine), "cli.main", &err))
        return report_error(argv[0], &err);
    module = luaL_ref(L, LUA_REGISTRYINDEX);
    push_arguments(engine, common, argc, argv);
    status = run_function(engine, module, "run", 3, argv[0], &cancelled);
    if (cancelled) /* it may have books to close */
        run_function(engine, module, "cancelled", 0, argv[0], NULL);
    return cancelled && interrupt_signal() ? interrupt_status() : status;
}

/* --- a command that could not be started ------------------------------------------------ */

/* Who asked for JSON reads stdout, whatever goes wrong. */
static bool wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--json-output") == 0)
            return true;
    return false;
}

/* As lua/lib/cli/main.lua and lua/lib/screen/command.lua would say it. */
static void print_failure(struct buf *said)
{
    struct buf out = { 0 };

    buf_lit(&out, "{\"success\":false,\"error\":{\"message\":");
    json_write_string(&out, buf_text(said), said->len);
    buf_lit(&out, ",\"code\":\"failed\"},\"debug_logs\":[]}\n");
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
}

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
    *status = EXIT_FAILED;
    command_log_level(common);
    command_grant_here(common);
    return command_engine(common, argv[0], NULL, NULL);
}

int command_run_file(int argc, char **argv)
{
    struct common common = { .help = false };
    struct engine *engine;
    struct buf said = { 0 };
    int status;

    output_keep(&said);
    engine = make_engine(&common, argc, argv, &status);
    output_keep(NULL);
    if (engine)
        status = run(engine, &common, argc, argv);
    else if (said.len && wants_json(argc, argv))
        print_failure(&said);
    engine_free(engine);
    buf_free(&said);
    options_free(&common);
    return output_finish(argv[0], status);
}
