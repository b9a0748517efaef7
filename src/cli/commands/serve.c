/* perigee serve -- the MCP server, over stdio or HTTP. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/dry_run.h"
#include "base/log.h"
#include "cli/background.h"
#include "cli/commands/native.h"
#include "cli/commands/serve_http.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "mcp/server/stdio.h"
#include "registry/call/call.h"
#include "registry/call/caller.h"

/* Bytes of a result's texts unless told otherwise: some clients refuse a result of more than
 * 25000 tokens, which is about so much English, and none shows a model more with profit. */
enum { RESULT_TEXT = 100000 };

/* Work for a file that is loaded while a client waits; later it gets more, in turns. */
enum { FIRST_LOOK_MS = 150 };

struct serving {
    struct engine *engine;
    struct server *server;
    struct stdio *stdio;
    struct http_server *http;
    uv_signal_t signals[3];
    int signal; /* that ended us; 0: none */
    uv_timer_t idle;
    uint64_t calls, since; /* how many there were, and since when (ms, of the loop) no more */
    struct background background;
    char *servers; /* agents_servers() */
    bool services; /* run beside the calls */
    bool kept;     /* the engine that stays for calls */
    struct common common;
    struct serve_options options;
};

static void on_registry_changed(void *arg, unsigned what)
{
    struct serving *serving = arg;

    if (serving->server)
        server_changed(serving->server, what);
}

static void on_updated(void *arg, const char *uri)
{
    struct serving *serving = arg;

    if (serving->server)
        server_updated(serving->server, uri, NULL);
}

static void on_notice(void *arg, const struct notice *notice)
{
    struct serving *serving = arg;

    if (serving->server)
        server_notice(serving->server, notice);
}

static void on_failed(void *arg, const struct problem *problem)
{
    struct serving *serving = arg;

    if (serving->server)
        server_failed(serving->server, problem);
}

/* The first answer is out: now there is time to read files. */
static void on_idle(void *arg)
{
    struct serving *serving = arg;

    registry_current(engine_registry(serving->engine));
    engine_settle(serving->engine, "serve");
}

static void on_stdio_closed(void *arg)
{
    struct serving *serving = arg;

    uv_stop(engine_loop(serving->engine));
}

static void on_serve_signal(uv_signal_t *handle, int number)
{
    struct serving *serving = handle->data;

    if (serving->http && !serving->signal) /* the second signal does not wait */
        http_server_drain(serving->http, 0, on_stdio_closed, serving);
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
        uv_signal_start(&serving->signals[i], on_serve_signal, numbers[i]);
        uv_unref((uv_handle_t *)&serving->signals[i]);
    }
}

/* --- an end without a signal ---------------------------------------------------------- */

enum { IDLE_LOOKS = 8 }; /* so many times within --idle it is looked whether something was called */

static void on_idle_look(uv_timer_t *timer)
{
    struct serving *serving = timer->data;
    struct call_counts counts = call_counts();
    uint64_t now = uv_now(timer->loop);

    if (counts.active || counts.total != serving->calls) {
        serving->calls = counts.total;
        serving->since = now;
    } else if (now - serving->since >= serving->options.idle_ms) {
        log_info("no call for %g s: the server ends", (double)serving->options.idle_ms / 1000);
        uv_timer_stop(timer);
        http_server_drain(serving->http, 0, on_stdio_closed, serving);
    }
}

static void watch_idle(struct serving *serving)
{
    uv_loop_t *loop = engine_loop(serving->engine);
    uint64_t step = serving->options.idle_ms / IDLE_LOOKS + 1;

    uv_timer_init(loop, &serving->idle);
    serving->idle.data = serving;
    serving->since = uv_now(loop);
    if (serving->options.idle_ms && serving->http)
        uv_timer_start(&serving->idle, on_idle_look, step, step);
}

static bool serving_start(struct serving *serving)
{
    struct stdio_events events = { on_idle, on_stdio_closed, serving };
    uv_loop_t *loop = engine_loop(serving->engine);
    struct error err;

    if (serving->options.http.count) {
        serving->http = serve_http_start(&serving->options, loop, serving->server);
        if (serving->http) {
            engine_listen(serving->engine, serving->kept ? "kept" : "serve");
            engine_watch(serving->engine);
            if (serving->services && !engine_start_services(serving->engine, &err))
                log_error("no services run: %s", err.text);
        }
        return serving->http != NULL;
    }
    if (isatty(STDIN_FILENO))
        fputs("perigee serve: waiting for an MCP client on stdin and stdout. Clients start it "
              "themselves:\n`perigee install CLIENT` adds it to one. Ctrl-C or Ctrl-D leaves.\n",
              stderr);
    serving->stdio = stdio_start(loop, serving->server, &events, &err);
    if (!serving->stdio)
        report_error("serve", &err);
    return serving->stdio != NULL;
}

/* By lua/lib/cli/lasting.lua, on a socket that only this user can enter, as only this user can
 * type. The variable names it, and is not passed on: it is for no other engine. */
static bool is_kept_engine(const struct serve_options *options)
{
    const char *socket = options->http.count == 1 ? options->http.items[0].socket : NULL;
    const char *kept = getenv("PERIGEE_KEPT");
    bool is = socket && kept && strcmp(kept, socket) == 0;

    unsetenv("PERIGEE_KEPT");
    return is;
}

/* By lua/lib/agent/mounted.lua: the servers that this engine mounts for the agent, or "" for those
 * of the file. They are there before the agent asks, because a model is offered what is listed at
 * first. As above, the variable is for no other engine. The caller frees it; NULL: no agent. */
static char *agents_servers(void)
{
    const char *given = getenv("PERIGEE_AGENT_SERVERS");
    char *servers = given ? mem_strdup(given) : NULL;

    unsetenv("PERIGEE_AGENT_SERVERS");
    return servers;
}

static int serving_run(struct serving *serving)
{
    struct server_options options = { .registry = engine_registry(serving->engine),
                                      .lean = serving->options.lean,
                                      .whole = serving->common.toolsets.count > 0,
                                      .mounted = serving->servers && *serving->servers,
                                      .kept = is_kept_engine(&serving->options),
                                      .page = serving->options.page,
                                      .cap = serving->options.cap,
                                      .state_key = getenv("PERIGEE_STATE_KEY"),
                                      .timeout_ms = serving->options.timeout_ms,
                                      .task_ttl_ms = serving->options.task_ttl_ms };
    int status = EXIT_FAILED;

    serving->kept = options.kept;
    /* The engine that stays for calls ends when there are none. */
    serving->services = !serving->options.no_services && !serving->options.dry_run && !options.kept;
    if (serving->services)
        engine_serve_services(serving->engine);
    registry_set_patience(engine_registry(serving->engine), FIRST_LOOK_MS);
    serving->server = server_new(&options);
    registry_on_updated(engine_registry(serving->engine), on_updated, serving);
    registry_on_notice(engine_registry(serving->engine), on_notice, serving);
    registry_on_failed(engine_registry(serving->engine), on_failed, serving);
    watch_signals(serving);
    if (serving_start(serving)) {
        watch_idle(serving);
        background_ready(&serving->background);
        uv_run(engine_loop(serving->engine), UV_RUN_DEFAULT);
        status = stdio_failed(serving->stdio) ? EXIT_FAILED : EXIT_OK;
    }
    engine_end_services(serving->engine);
    stdio_free(serving->stdio);
    http_server_free(serving->http);
    server_end_tasks(serving->server);
    if (serving->idle.data)
        uv_close((uv_handle_t *)&serving->idle, NULL);
    for (size_t i = 0; i < countof(serving->signals); i++)
        uv_close((uv_handle_t *)&serving->signals[i], NULL);
    return status;
}

static int serve_with_engine(struct serving *serving)
{
    int status;

    if (!command_places(&serving->common, "serve"))
        return EXIT_USAGE;
    if (serving->options.dry_run)
        dry_run_begin();
    if (serving->options.log_calls)
        call_log_all();
    caller_set_default(CALLER_ENGINE);
    serving->common.servers = serving->servers = agents_servers();
    serving->engine = command_engine(&serving->common, "serve", on_registry_changed, serving);
    status = serving->engine ? serving_run(serving) : EXIT_FAILED;
    engine_free(serving->engine);
    server_free(serving->server);
    free(serving->servers);
    return status;
}

static int run_serve(int argc, char **argv)
{
    struct serving serving = { .options.cap = RESULT_TEXT };
    int status = EXIT_USAGE;

    if (options_read(&command_serve, argc, argv, &serving.common, &serving.options, NULL))
        status = serving.common.help ? EXIT_OK : serve_options_check(&serving.options);
    if (status == EXIT_OK && serving.common.help) {
        status = command_help(&command_serve);
    } else {
        log_set_role("server");
        logging_file();
        if (serving.common.verbose || serving.common.quiet)
            command_log_level(&serving.common);
        logging_settings();
        if (status == EXIT_OK && (!serving.options.background ||
                                  background_begin(&serving.background, "serve", &status)))
            status = serve_with_engine(&serving);
    }
    serve_options_free(&serving.options);
    options_free(&serving.common);
    return status;
}

const struct command command_serve = {
    .name = "serve",
    .summary = "run the MCP server over stdin and stdout, or HTTP",
    .usage = "serve [options]",
    .description =
        "Speaks the Model Context Protocol, one JSON message a line, on stdin and stdout; log "
        "lines go to stderr. It ends when stdin is closed, or by Ctrl-C. Add it to an MCP client "
        "as command "
        "`perigee` with the argument `serve`.\n"
        "\n"
        "By default tools/list omits tools that are rarely needed and tools whose program is not "
        "installed; search_tools still finds them and call_tool calls them. --toolset lists all "
        "tools of the toolsets that it names.",
    .options = serve_option_table,
    .run = run_serve,
};
