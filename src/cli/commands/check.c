/* perigee check -- do all files load? lua/lib/cli/check.lua looks and tells. */
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/running.h"
#include "files/grants.h"

struct checking {
    struct args args;
    bool json, strict;
    const char *dictionaries[COMMON_MAX]; /* --dictionaries: folders of .sdef files */
    size_t dictionary_count;
};

/* False after saying why. */
static bool add_dictionaries(struct checking *checking, const char *option)
{
    const char *folder = args_value(&checking->args, option);

    if (!folder)
        return false;
    if (checking->dictionary_count == COMMON_MAX) {
        usage_error("check", "%s is there more than %d times", option, COMMON_MAX);
        return false;
    }
    checking->dictionaries[checking->dictionary_count++] = folder;
    return true;
}

static int parse(struct checking *checking, int argc, char **argv)
{
    const char *option, *value;
    bool bad, wrong = false;

    args_init(&checking->args, argc, argv);
    while (args_next(&checking->args, &option, &value, &bad)) {
        if (value)
            return usage_error("check", "it takes no argument ('%s')", value);
        if (strcmp(option, "--json") == 0)
            checking->json = true;
        else if (strcmp(option, "--strict") == 0)
            checking->strict = true;
        else if (option_is(option, "--dictionaries"))
            wrong = !add_dictionaries(checking, option) || wrong;
        else
            return usage_error("check", "unknown option %s", option);
    }
    return bad || wrong ? EXIT_USAGE : EXIT_OK;
}

/* Pushes the list of the --root folders that are not there. */
static void push_missing(lua_State *L, const struct common *common)
{
    struct stat st;
    lua_Integer n = 0;

    lua_newtable(L); /* list */
    for (size_t i = 0; i < common->root_count; i++) {
        if (stat(common->roots[i], &st) == 0 && S_ISDIR(st.st_mode))
            continue;
        lua_pushstring(L, common->roots[i]);
        lua_rawseti(L, -2, ++n);
    }
}

/* A folder that the check may read. */
static bool grant(struct engine *engine, const char *folder, struct error *err)
{
    return fs_grants_add(engine_grants(engine), folder, false, err);
}

/* The roots, for their scripts, and the folders of dictionaries. Roots that are not there are told
 * as such; a folder of dictionaries that is not there is a mistake. */
static bool grant_folders(const struct checking *checking, struct engine *engine, struct error *err)
{
    size_t count;
    char *const *roots = registry_roots(engine_registry(engine), &count);
    struct error unused;

    for (size_t i = 0; i < count; i++)
        grant(engine, roots[i], &unused);
    for (size_t i = 0; i < checking->dictionary_count; i++) {
        if (!grant(engine, checking->dictionaries[i], err))
            return false;
    }
    return true;
}

/* Pushes the folders of dictionaries, absolute. */
static void push_dictionaries(lua_State *L, const struct checking *checking)
{
    lua_newtable(L); /* list */
    for (size_t i = 0; i < checking->dictionary_count; i++) {
        char *real = realpath(checking->dictionaries[i], NULL);

        lua_pushstring(L, real ? real : checking->dictionaries[i]);
        free(real);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static int check(const struct checking *checking, struct engine *engine)
{
    static const char text[] = "return require('cli.check').run(...)";
    struct script_spec spec = { .name = "check", .text = text, .len = sizeof text - 1 };
    struct running running;
    struct error err;
    lua_State *L = vm_lua(engine_vm(engine));

    if (!grant_folders(checking, engine, &err))
        return report_error("check", &err);
    running_init(&running, engine, "check");
    lua_newtable(L); /* options */
    lua_pushboolean(L, checking->json);
    lua_setfield(L, -2, "json");
    lua_pushboolean(L, checking->strict);
    lua_setfield(L, -2, "strict");
    push_missing(L, &checking->args.common);
    lua_setfield(L, -2, "missing");
    push_dictionaries(L, checking);
    lua_setfield(L, -2, "dictionaries");
    running.nargs = 1;
    return running_run(&running, &spec);
}

static int run(int argc, char **argv)
{
    struct checking checking = { .json = false };
    struct engine *engine = NULL;
    int status = parse(&checking, argc, argv);

    if (status == EXIT_OK && checking.args.common.help) {
        status = command_help_text(&command_check);
    } else if (status == EXIT_OK) {
        log_set_level(checking.args.common.verbose ? LOG_DEBUG : LOG_OFF); /* it is all told */
        engine = common_engine(&checking.args.common, "check", NULL, NULL);
        status = engine ? check(&checking, engine) : EXIT_FAILED;
        engine_free(engine);
    }
    args_free(&checking.args);
    return output_finish("check", status);
}

const struct command command_check = {
    "check", "load every file and tell what is wrong with it",
    "usage: perigee check [options]\n"
    "\n"
    "Loads the tools, prompts, resources, rules, providers and lib files of all roots, tells what\n"
    "failed as `path:line: message`, which files are overridden by those of a later root, and how\n"
    "many there are. AppleScript files of the roots' folders `scripts` are checked by structure,\n"
    "and against the dictionaries (.sdef) beside them. Exit status 1 when a file failed to load "
    "or\n"
    "a script's structure is wrong.\n"
    "\n"
    "  --dictionaries DIR  dictionaries for AppleScript: ID.sdef or NAME.sdef; may be repeated.\n"
    "                    On a Mac `sdef /Applications/X.app` prints one\n"
    "  --json            the report as one line of JSON\n"
    "  --strict          hints, too: no title, annotations, examples or descriptions of\n"
    "                    parameters; exit status 1 when there are any, or warnings\n"
    "  --root DIR, --toolset A,B, --no-user-root   as for `perigee serve`\n",
    run
};
