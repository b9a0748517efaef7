/* perigee serve -- the MCP server, over stdio or HTTP. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/commands/serve_http.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "mcp/server/stdio.h"
#include "registry/call/call.h"

/* Bytes of a result's texts unless told otherwise: some clients refuse a result of more than
 * 25000 tokens, which is about so much English, and none shows a model more with profit. */
enum { RESULT_TEXT = 100000 };

struct serving {
    struct engine *engine;
    struct server *server;
    struct stdio *stdio;
    struct serve_http options;
    struct http_server *http;
    uv_signal_t signals[3];
    int signal; /* that ended us; 0: none */
    struct args args;
    bool lean;
    size_t page, cap;
    uint64_t timeout_ms, task_ttl_ms;
};

static void on_changed(void *arg, unsigned what)
{
    struct serving *serving = arg;

    if (serving->server)
        server_changed(serving->server, what);
}

static void on_updated(void *arg, const char *uri)
{
    struct serving *serving = arg;

    if (serving->server)
        server_updated(serving->server, uri);
}

/* The first answer is out: now there is time to read files. */
static void on_idle(void *arg)
{
    struct serving *serving = arg;

    engine_listen(serving->engine, "serve");
    engine_watch(serving->engine);
}

static void on_closed(void *arg)
{
    struct serving *serving = arg;

    uv_stop(engine_loop(serving->engine));
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct serving *serving = handle->data;

    if (serving->http && !serving->signal) /* the second signal does not wait */
        http_server_drain(serving->http, 0, on_closed, serving);
    else
        uv_stop(engine_loop(serving->engine));
    serving->signal = number;
}

static void watch_signals(struct serving *serving)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

    for (size_t i = 0; i < countof(numbers); i++) {
        uv_signal_init(engine_loop(serving->engine), &serving->signals[i]);
        serving->signals[i].data = serving;
        uv_signal_start(&serving->signals[i], on_signal, numbers[i]);
        uv_unref((uv_handle_t *)&serving->signals[i]);
    }
}

static int parse(struct serving *serving, int argc, char **argv)
{
    const char *option, *value, *text;
    char *end;
    bool bad;

    args_init(&serving->args, argc, argv);
    while (args_next(&serving->args, &option, &value, &bad)) {
        bool taken = false;

        if (value)
            return usage_error("serve", "it takes no argument ('%s')", value);
        if (!serve_http_option(&serving->options, &serving->args, option, &taken))
            return EXIT_USAGE;
        if (taken)
            continue;
        if (strcmp(option, "--lean") == 0) {
            serving->lean = true;
        } else if (strcmp(option, "--log-calls") == 0) {
            call_log_all();
        } else if (option_is(option, "--page-size")) {
            if (!(text = args_value(&serving->args, option)))
                return EXIT_USAGE;
            serving->page = strtoul(text, &end, 10);
            if (*end || serving->page < 1 || serving->page > 10000)
                return usage_error("serve", "--page-size is a number from 1 to 10000");
        } else if (option_is(option, "--max-result")) {
            if (!(text = args_value(&serving->args, option)))
                return EXIT_USAGE;
            serving->cap = strtoul(text, &end, 10);
            if (*end || (serving->cap && serving->cap < 100) || serving->cap > 8000000)
                return usage_error("serve", "--max-result is 0, or a number from 100 to 8000000");
        } else if (option_is(option, "--timeout")) {
            if (!args_seconds(&serving->args, option, &serving->timeout_ms))
                return EXIT_USAGE;
        } else if (option_is(option, "--task-ttl")) {
            if (!args_seconds(&serving->args, option, &serving->task_ttl_ms))
                return EXIT_USAGE;
        } else {
            return usage_error("serve", "unknown option %s", option);
        }
    }
    return bad ? EXIT_USAGE : serve_http_check(&serving->options);
}

static bool start(struct serving *serving)
{
    struct stdio_events events = { on_idle, on_closed, serving };
    uv_loop_t *loop = engine_loop(serving->engine);
    struct error err;

    if (serving->options.address_count) {
        serving->http = serve_http_start(&serving->options, loop, serving->server);
        if (serving->http)
            on_idle(serving);
        return serving->http != NULL;
    }
    serving->stdio = stdio_start(loop, serving->server, &events, &err);
    if (!serving->stdio)
        report_error("serve", &err);
    return serving->stdio != NULL;
}

static int serve(struct serving *serving)
{
    struct server_options options = { .registry = engine_registry(serving->engine),
                                      .lean = serving->lean,
                                      .whole = serving->args.common.toolset_count > 0,
                                      .page = serving->page,
                                      .cap = serving->cap,
                                      .state_key = getenv("PERIGEE_STATE_KEY"),
                                      .timeout_ms = serving->timeout_ms,
                                      .task_ttl_ms = serving->task_ttl_ms };
    int status = EXIT_FAILED;

    serving->server = server_new(&options);
    registry_on_updated(engine_registry(serving->engine), on_updated, serving);
    watch_signals(serving);
    if (start(serving)) {
        uv_run(engine_loop(serving->engine), UV_RUN_DEFAULT);
        status = EXIT_OK;
    }
    stdio_free(serving->stdio);
    http_server_free(serving->http);
    server_end_tasks(serving->server);
    for (size_t i = 0; i < countof(serving->signals); i++)
        uv_close((uv_handle_t *)&serving->signals[i], NULL);
    return status;
}

static int run(int argc, char **argv)
{
    struct serving serving = { .cap = RESULT_TEXT };
    int status = parse(&serving, argc, argv);

    if (status == EXIT_OK && serving.args.common.help)
        return output_finish("serve", command_help_text(&command_serve));
    log_set_role("server");
    logging_file();
    if (serving.args.common.verbose || serving.args.common.quiet)
        common_log_level(&serving.args.common);
    if (status == EXIT_OK) {
        serving.engine = common_engine(&serving.args.common, "serve", on_changed, &serving);
        status = serving.engine ? serve(&serving) : EXIT_FAILED;
        engine_free(serving.engine);
        server_free(serving.server);
    }
    serve_http_free(&serving.options);
    args_free(&serving.args);
    return serving.signal == SIGINT ? EXIT_INTERRUPTED : status;
}

const struct command command_serve = {
    "serve", "run the MCP server over stdin and stdout, or HTTP",
    "usage: perigee serve [options]\n"
    "\n"
    "Speaks the Model Context Protocol, one JSON message a line, on stdin and stdout;\n"
    "log lines go to stderr. Add it to an MCP client as command `perigee`, argument `serve`.\n"
    "\n"
    "  --toolset A,B     only these toolsets (and engine), all of their tools listed;\n"
    "                    default: all toolsets, without tools that are rarely needed\n"
    "                    or whose program is not installed (they are found and called)\n"
    "  --lean            list only the engine's own tools; the others are found with\n"
    "                    search_tools and run with call_tool or run_lua\n"
    "  --root DIR        another folder of tools/, prompts/, ...; wins over those before it\n"
    "  --no-user-root    leave out ~/.config/perigee\n"
    "  --own-identity    on a Mac: answer for permissions oneself, instead of the program that\n"
    "                    started this one; for other commands, too (docs/macos.md)\n"
    "  --mount NAME      what this server of mcpServers has, too, or `all` of them have\n"
    "                    (docs/gateway.md; may be given again)\n"
    "  --config FILE     the file with mcpServers; default ~/.config/perigee/mcp.json\n"
    "  --grant DIR       let scripts read and write files there (may be given again)\n"
    "  --timeout S       seconds for a tool call that does not say; default 60\n"
    "  --task-ttl S      how long a call that runs as a task lives, and its result is kept, and\n"
    "                    the most a client may ask for; default 3600, and 86400\n"
    "  --page-size N     definitions in one page of a list; default 250\n"
    "  --max-result N    cut a result's texts after N bytes and say how to get more; default\n"
    "                    100000, about what clients take; 0: only at 8 MB\n"
    "  --log-calls       tell each call in the log: arguments, answer, time it took\n"
    "  -v, --verbose     more log lines;  -q, --quiet: errors only\n" SERVE_HTTP_USAGE,
    run
};
