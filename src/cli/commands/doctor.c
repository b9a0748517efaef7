/* perigee doctor -- what the program needs and finds here: lua/lib/doctor.lua looks. */
#include <lua.h>
#include <stdio.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/running.h"
#include "cli/terminal.h"

struct examining {
    struct args args;
    bool json;
};

static int parse(struct examining *examining, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&examining->args, argc, argv);
    while (args_next(&examining->args, &option, &value, &bad)) {
        if (value)
            return usage_error("doctor", "it takes no argument ('%s')", value);
        if (strcmp(option, "--json") != 0)
            return usage_error("doctor", "unknown option %s", option);
        examining->json = true;
    }
    return bad ? EXIT_USAGE : EXIT_OK;
}

static int examine(const struct examining *examining, struct engine *engine)
{
    static const char text[] = "return require('doctor').run(...)";
    struct script_spec spec = { .name = "doctor", .text = text, .len = sizeof text - 1 };
    struct running running;
    lua_State *L = vm_lua(engine_vm(engine));

    running_init(&running, engine, "doctor");
    lua_createtable(L, 0, 3); /* options */
    lua_pushboolean(L, examining->json);
    lua_setfield(L, -2, "json");
    lua_pushboolean(L, terminal_colours(stdout));
    lua_setfield(L, -2, "colour");
    if (terminal_is(stdout)) {
        lua_pushinteger(L, terminal_width(stdout, 0));
        lua_setfield(L, -2, "width");
    }
    running.nargs = 1;
    return running_run(&running, &spec);
}

static int run(int argc, char **argv)
{
    struct examining examining = { .json = false };
    struct engine *engine = NULL;
    int status = parse(&examining, argc, argv);

    if (status == EXIT_OK && examining.args.common.help) {
        status = command_help_text(&command_doctor);
    } else if (status == EXIT_OK) {
        /* what is wrong is told by the checks, not by log lines between them */
        log_set_level(examining.args.common.verbose ? LOG_DEBUG : LOG_OFF);
        engine = common_engine(&examining.args.common, "doctor", NULL, NULL);
        status = engine ? examine(&examining, engine) : EXIT_FAILED;
        engine_free(engine);
    }
    args_free(&examining.args);
    return output_finish("doctor", status);
}

const struct command command_doctor = {
    "doctor", "look at what the program needs here, and say what to do",
    "usage: perigee doctor [options]\n"
    "\n"
    "Looks at the program's parts, its files and folders, the display, the window manager,\n"
    "applications, the buses and other programs (on a Mac: permissions and who has them, Keynote,\n"
    "the signature), and says of each what is there, or what is wrong and what to do. Values of\n"
    "keys are never shown.\n"
    "\n"
    "  --json            one JSON object: ok, version, platform, errors, warnings, checks\n"
    "  --root DIR, --no-user-root   as for `perigee serve`\n"
    "  -v, --verbose     with log lines\n"
    "\n"
    "Exit status: 0, 1 when something that is needed is missing.\n",
    run
};
