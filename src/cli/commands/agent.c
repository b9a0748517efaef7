/* perigee agent -- a model and the tools of an MCP server. What an agent does is
 * Lua (lua/lib/agent.lua); this reads the command line and starts it. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/args.h"
#include "cli/commands/agent_options.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/running.h"
#include "cli/terminal.h"

enum { TURNS_MAX = 1000 };

static int take_option(struct agent_options *agent, const char *option)
{
    const struct {
        const char *name;
        const char **value;
    } texts[] = { { "--prompt", &agent->prompt }, { "--model", &agent->model },
                  { "--server", &agent->server }, { "--servers", &agent->servers },
                  { "--log", &agent->log },       { "--journal", &agent->journal },
                  { "--replay", &agent->replay }, { "--max-turns", &agent->turns_text } };
    char *end;

    if (strcmp(option, "--json") == 0) {
        agent->json = true;
        return EXIT_OK;
    }
    for (size_t i = 0; i < countof(texts); i++) {
        if (!option_is(option, texts[i].name))
            continue;
        if (!(*texts[i].value = args_value(&agent->args, option)))
            return EXIT_USAGE;
        if (texts[i].value == &agent->turns_text) {
            agent->max_turns = strtol(agent->turns_text, &end, 10);
            if (*end || agent->max_turns < 1 || agent->max_turns > TURNS_MAX)
                return usage_error("agent", "--max-turns is a number from 1 to %d", TURNS_MAX);
        }
        return EXIT_OK;
    }
    return usage_error("agent", "unknown option %s", option);
}

static int parse(struct agent_options *agent, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&agent->args, argc, argv);
    while (args_next(&agent->args, &option, &value, &bad)) {
        if (option && take_option(agent, option) != EXIT_OK)
            return EXIT_USAGE;
        if (value && agent->request.len)
            buf_addc(&agent->request, ' ');
        if (value)
            buf_adds(&agent->request, value);
    }
    if (bad)
        return EXIT_USAGE;
    if (agent->server && agent->servers)
        return usage_error("agent", "--server and --servers exclude each other");
    if (!agent->request.len && !agent_options_replay(agent) && !agent->args.common.help)
        return usage_error("agent", "what shall it do? Say it in quotes");
    return EXIT_OK;
}

/* --- the run -------------------------------------------------------------------------- */

/* ok, reason, message */
static int read_outcome(void *arg, struct task *task, int nresults)
{
    lua_State *L = task_lua(task);
    int first = lua_gettop(L) - nresults + 1;
    const char *reason = lua_tostring(L, first + 1), *message = lua_tostring(L, first + 2);

    (void)arg;
    if (nresults < 3 || !reason || !message) {
        output_message("agent", "lib/agent.lua returned no outcome");
        return EXIT_FAILED;
    }
    if (lua_toboolean(L, first))
        return EXIT_OK;
    if (strcmp(reason, "usage") == 0)
        return usage_error("agent", "%s", message);
    if (!terminal_is(stdout)) /* there it stands already */
        output_message("agent", "%s", message);
    return strcmp(reason, "tool_error") == 0 ? EXIT_TOOL : EXIT_FAILED;
}

/* Calls agent.FUNCTION(options); the options stand at this place of the registry.
 * *cancelled (may be NULL): somebody ended it. Else it runs on without a reader. */
static int run_function(struct engine *engine, const char *function, int options, bool *cancelled)
{
    struct script_spec spec = { .name = "agent" };
    struct running running;
    char *text = mem_printf("local outcome = require('agent').%s(...) "
                            "return outcome.ok, outcome.reason, outcome.message",
                            function);
    int status;

    spec.text = text;
    spec.len = strlen(text);
    running_init(&running, engine, "agent");
    running.results = read_outcome;
    running.job.deaf = !cancelled;
    lua_rawgeti(vm_lua(engine_vm(engine)), LUA_REGISTRYINDEX, options);
    running.nargs = 1;
    status = running_run(&running, &spec);
    free(text);
    if (cancelled)
        *cancelled = running.job.cancelled;
    return status;
}

static int run_agent(struct agent_options *agent, struct engine *engine)
{
    lua_State *L = vm_lua(engine_vm(engine));
    int options, status;
    bool cancelled;
    struct error err;

    if (!agent_options_grant(agent, engine, &err))
        return report_error("agent", &err);
    if (!agent_options_push(agent, L, &err))
        return usage_error("agent", "%s", err.text);
    options = luaL_ref(L, LUA_REGISTRYINDEX);
    status = run_function(engine, "run", options, &cancelled);
    if (cancelled)
        run_function(engine, "cancelled", options, NULL); /* log and journal say how it ended */
    return cancelled && interrupt_signal() ? interrupt_status() : status;
}

static int run(int argc, char **argv)
{
    struct agent_options agent = { .json = false };
    struct engine *engine = NULL;
    int status = parse(&agent, argc, argv);

    if (status == EXIT_OK && agent.args.common.help) {
        status = command_help_text(&command_agent);
    } else if (status == EXIT_OK) {
        log_set_role("client");
        common_log_level(&agent.args.common);
        common_grant_first(&agent.args.common, ".");
        engine = common_engine(&agent.args.common, "agent", NULL, NULL);
        status = engine ? run_agent(&agent, engine) : EXIT_FAILED;
        engine_free(engine);
    }
    buf_free(&agent.request);
    args_free(&agent.args);
    return output_finish("agent", status);
}

const struct command command_agent = {
    "agent", "let a model do something with the tools of an MCP server",
    "usage: perigee agent [options] \"REQUEST\"\n"
    "       perigee agent [options] --replay FILE\n"
    "\n"
    "Starts an MCP server, tells a model of its tools, and makes the calls the model asks for\n"
    "until it is done. Without --model the first of gemini, openai, anthropic and ollama that the\n"
    "environment has a key or an address for is taken, else a rule-based stand-in.\n"
    "\n"
    "  --model PROVIDER/MODEL   as in gemini/gemini-2.0-flash; without MODEL its default\n"
    "  --prompt NAME            a file of prompts/; default: one that fits the tools\n"
    "  --server COMMAND         the MCP server and its arguments; default: perigee serve\n"
    "  --servers FILE           several, from the mcpServers of a JSON file\n"
    "  --max-turns N            replies of the model at most; default 8\n"
    "  --log FILE               default logs/agent.log\n"
    "  --journal DIR            where the journal of each run goes; default logs/runs\n"
    "  --replay FILE            repeat the run of a journal without a model; with --server the\n"
    "                           calls are made again, without it they answer as they did\n"
    "  --json                   every event as a line of JSON\n"
    "  --root DIR, --toolset A,B, --grant DIR, --no-user-root\n"
    "                           as for `perigee serve`, for the agent and its default server\n"
    "\n"
    "Exit status: 0 when the model says it is done and something was done, 3 when a tool's error\n"
    "ended the run, 2 for wrong usage, 130 after Ctrl-C, 1 for everything else.\n",
    .run = run
};
