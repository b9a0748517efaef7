/* perigee test -- the examples in the files, run by lua/lib/cli/examples.lua. */
#include <lua.h>
#include <stdio.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/running.h"
#include "cli/terminal.h"

enum { FILTERS_MAX = 64 };

struct testing {
    struct args args;
    const char *filters[FILTERS_MAX];
    int filter_count;
    bool tap;
};

static int parse(struct testing *testing, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&testing->args, argc, argv);
    while (args_next(&testing->args, &option, &value, &bad)) {
        if (option && strcmp(option, "--tap") != 0)
            return usage_error("test", "unknown option %s", option);
        if (option)
            testing->tap = true;
        else if (testing->filter_count == FILTERS_MAX)
            return usage_error("test", "too many filters");
        else
            testing->filters[testing->filter_count++] = value;
    }
    return bad ? EXIT_USAGE : EXIT_OK;
}

static int test(const struct testing *testing, struct engine *engine)
{
    static const char text[] = "return require('cli.examples').run(...)";
    struct script_spec spec = { .name = "test", .text = text, .len = sizeof text - 1 };
    struct running running;
    lua_State *L = vm_lua(engine_vm(engine));

    running_init(&running, engine, "test");
    lua_newtable(L);                              /* options */
    lua_createtable(L, testing->filter_count, 0); /* options, filters */
    for (int i = 0; i < testing->filter_count; i++) {
        lua_pushstring(L, testing->filters[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "filters");
    lua_pushboolean(L, testing->tap);
    lua_setfield(L, -2, "tap");
    lua_pushboolean(L, terminal_colours(stdout));
    lua_setfield(L, -2, "colour");
    running.nargs = 1;
    return running_run(&running, &spec);
}

static int run(int argc, char **argv)
{
    struct testing testing = { .tap = false };
    struct engine *engine = NULL;
    int status = parse(&testing, argc, argv);

    if (status == EXIT_OK && testing.args.common.help) {
        status = command_help_text(&command_test);
    } else if (status == EXIT_OK) {
        /* what tools log while their examples fail on purpose is no news */
        log_set_level(testing.args.common.verbose ? LOG_DEBUG : LOG_OFF);
        engine = common_engine(&testing.args.common, "test", NULL, NULL);
        status = engine ? test(&testing, engine) : EXIT_FAILED;
        engine_free(engine);
    }
    args_free(&testing.args);
    return output_finish("test", status);
}

const struct command command_test = {
    "test", "run the examples in tool, prompt, resource, rule and provider files",
    "usage: perigee test [FILTER]... [options]\n"
    "\n"
    "Runs the examples that the files of all roots carry; with FILTER those whose file or name\n"
    "has that text. Tools get stand-ins for the sys modules, which answer what the example's\n"
    "`given` says and refuse everything else, so nothing outside is touched. Exit status 1 when\n"
    "one failed or a file did not load.\n"
    "\n"
    "  --tap             the Test Anything Protocol instead of lines for people\n"
    "  --root DIR, --toolset A,B, --no-user-root   as for `perigee serve`\n"
    "  -v, --verbose     with log lines\n",
    run
};
