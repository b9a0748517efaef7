/* perigee mcp -- the client, for any server. What is done is in lua/lib/cli/mcp.lua. */
#include "cli/commands/mcp.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/output.h"
#include "cli/running.h"
#include "cli/terminal.h"
#include "files/file.h"
#include "sys/gateway.h"

enum { WORDS_MAX = 512, HEADERS_MAX = 64 };

struct asking {
    struct args args;
    const char *words[WORDS_MAX];   /* the verb, the server, ... */
    const char *command[WORDS_MAX]; /* after "--" */
    const char *headers[HEADERS_MAX];
    size_t word_count, command_count, header_count;
    const char *base, *output, *token, *era, *ca_file;
    bool json, yes, task;
    uint64_t timeout_ms;
};

/* --- the command line --------------------------------------------------------------- */

static bool take_value(struct asking *asking, const char *option, const char **value)
{
    *value = args_value(&asking->args, option);
    return *value;
}

static bool take_header(struct asking *asking, const char *option)
{
    const char *value = args_value(&asking->args, option);

    if (!value)
        return false;
    if (!strchr(value, ':') || asking->header_count == HEADERS_MAX) {
        usage_error("mcp", "--header is written as \"Name: value\"");
        return false;
    }
    asking->headers[asking->header_count++] = value;
    return true;
}

static bool take_era(struct asking *asking, const char *option)
{
    if (!take_value(asking, option, &asking->era))
        return false;
    if (strcmp(asking->era, "auto") == 0 || strcmp(asking->era, "legacy") == 0 ||
        strcmp(asking->era, "modern") == 0)
        return true;
    usage_error("mcp", "--era is legacy (initialize, to 2025-11-25), modern (2026-07-28) or auto");
    return false;
}

static bool take_token(struct asking *asking, const char *option)
{
    if (!take_value(asking, option, &asking->token))
        return false;
    if (strncasecmp(asking->token, "Bearer ", 7) == 0)
        asking->token += 7;
    for (const char *c = asking->token; *c > ' ' && *c < 127; c++)
        if (!c[1])
            return true;
    usage_error("mcp", "--token is empty, or has characters that no token has (blanks, say)");
    return false;
}

static bool take_option(struct asking *asking, const char *option)
{
    if (strcmp(option, "--json") == 0)
        return asking->json = true;
    if (strcmp(option, "--yes") == 0 || strcmp(option, "-y") == 0)
        return asking->yes = true;
    if (strcmp(option, "--task") == 0)
        return asking->task = true;
    if (option_is(option, "--timeout"))
        return args_seconds(&asking->args, option, &asking->timeout_ms);
    if (option_is(option, "--args"))
        return take_value(asking, option, &asking->base);
    if (option_is(option, "--output") || strcmp(option, "-o") == 0)
        return take_value(asking, option, &asking->output);
    if (option_is(option, "--token"))
        return take_token(asking, option);
    if (option_is(option, "--ca-file"))
        return take_value(asking, option, &asking->ca_file);
    if (option_is(option, "--era"))
        return take_era(asking, option);
    if (option_is(option, "--header") || strcmp(option, "-H") == 0)
        return take_header(asking, option);
    usage_error("mcp", "unknown option %s", option);
    return false;
}

static int parse(struct asking *asking, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&asking->args, argc, argv);
    while (args_next(&asking->args, &option, &value, &bad)) {
        if (option && !take_option(asking, option))
            return EXIT_USAGE;
        if (option)
            continue;
        if (asking->word_count == WORDS_MAX || asking->command_count == WORDS_MAX)
            return usage_error("mcp", "too many words; give arguments with --args @FILE");
        if (asking->args.plain)
            asking->command[asking->command_count++] = value;
        else
            asking->words[asking->word_count++] = value;
    }
    return bad ? EXIT_USAGE : EXIT_OK;
}

/* --- for Lua -------------------------------------------------------------------------- */

static void set_list(lua_State *L, const char *key, const char *const *items, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushstring(L, items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *text)
{
    lua_pushstring(L, text); /* NULL pushes nil */
    lua_setfield(L, -2, key);
}

static void set_boolean(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

static void push_options(lua_State *L, const struct asking *asking)
{
    const char *given = asking->args.common.config;
    char *config = given ? path_expand_home(given) : gateway_config_path();

    lua_newtable(L);
    set_list(L, "words", asking->words, asking->word_count);
    set_list(L, "command", asking->command, asking->command_count);
    set_list(L, "headers", asking->headers, asking->header_count);
    set_text(L, "config", config);
    set_text(L, "args", asking->base);
    set_text(L, "output", asking->output);
    set_text(L, "token", asking->token);
    set_text(L, "ca_file", asking->ca_file);
    set_text(L, "era", asking->era);
    set_boolean(L, "json", asking->json);
    set_boolean(L, "yes", asking->yes);
    set_boolean(L, "task", asking->task);
    set_boolean(L, "verbose", asking->args.common.verbose);
    set_boolean(L, "colour", terminal_colours(stdout));
    set_boolean(L, "interactive", terminal_is(stderr) && isatty(STDIN_FILENO));
    if (asking->timeout_ms) {
        lua_pushnumber(L, (lua_Number)asking->timeout_ms / 1000);
        lua_setfield(L, -2, "timeout");
    }
    if (terminal_is(stdout)) {
        lua_pushinteger(L, terminal_width(stdout, 0));
        lua_setfield(L, -2, "width");
    }
    mcp_push_helpers(L);
    free(config);
}

static int ask(const struct asking *asking, struct engine *engine)
{
    static const char text[] = "return require('cli.mcp').run(...)";
    struct script_spec spec = { .name = "mcp", .text = text, .len = sizeof text - 1 };
    struct running running;

    running_init(&running, engine, "mcp");
    push_options(vm_lua(engine_vm(engine)), asking);
    running.nargs = 1;
    return running_run(&running, &spec);
}

static int run(int argc, char **argv)
{
    struct asking asking = { .base = NULL };
    struct engine *engine;
    int status = parse(&asking, argc, argv);

    if (status == EXIT_OK && asking.args.common.help) {
        status = command_help_text(&command_mcp);
    } else if (status == EXIT_OK) {
        common_log_level(&asking.args.common);
        engine = common_engine(&asking.args.common, "mcp", NULL, NULL);
        status = engine ? ask(&asking, engine) : EXIT_FAILED;
        engine_free(engine);
    }
    args_free(&asking.args);
    return output_finish("mcp", status);
}

const struct command command_mcp = {
    "mcp", "ask another MCP server: list, call, read, ...",
    "usage: perigee mcp [servers]\n"
    "       perigee mcp info SERVER\n"
    "       perigee mcp list SERVER [tools | prompts | resources | templates]\n"
    "       perigee mcp show SERVER TOOL|PROMPT\n"
    "       perigee mcp call SERVER TOOL [key=value | key:=JSON]...\n"
    "       perigee mcp read SERVER URI\n"
    "       perigee mcp prompt SERVER NAME [key=value]...\n"
    "       perigee mcp complete SERVER prompt|resource NAME ARGUMENT [VALUE]\n"
    "       perigee mcp watch SERVER [URI]...\n"
    "       perigee mcp ping SERVER\n"
    "\n"
    "SERVER is a name in mcpServers of ~/.config/perigee/mcp.json, the URL of a server,\n"
    "unix:/PATH (a socket of `perigee serve --http unix:/PATH`), or it is left out and the\n"
    "command that starts one follows after --:\n"
    "    perigee mcp call echo message=hi -- npx -y @modelcontextprotocol/server-everything\n"
    "\n"
    "  --json            the answer as JSON on one line\n"
    "  --args JSON       all arguments as one JSON object; @FILE reads it from a file, - from\n"
    "                    stdin; key=value words come on top (see `perigee help call`)\n"
    "  -o, --output FILE save the first picture, sound or file of the answer; - for stdout\n"
    "  --timeout S       seconds for each answer; default 60\n"
    "  --task            call the tool as a task, where the server has them: it may take long\n"
    "  -H, --header 'NAME: VALUE'   sent with each request to a URL (may be given again)\n"
    "  --token TOKEN     the bearer token for a URL; `perigee login URL` gets one\n"
    "  --ca-file FILE    certificates (PEM) to trust for a URL instead of the system's\n"
    "  --era ERA         legacy or modern instead of finding out\n"
    "  -y, --yes         answer what the server asks with its defaults\n"
    "  --config FILE     the file with mcpServers\n"
    "  -v, --verbose     what the server writes to stderr and to its log\n"
    "\n"
    "Exit status: 0, 3 when the tool answers with an error (its text is on stderr), 2 when there\n"
    "is no such server, tool or parameter, 1 when the server cannot be reached or refuses,\n"
    "124 when it takes too long, 130 after Ctrl-C.\n",
    .run = run
};
