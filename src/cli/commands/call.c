/* perigee call -- one tool, in this process, without MCP. */
#include "registry/call/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/args.h"
#include "cli/arguments.h"
#include "cli/find.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/render.h"
#include "cli/terminal.h"
#include "files/file.h"
#include "registry/call/outcome.h"
#include "script/value.h"
#include "json/writer.h"

enum { WORDS_MAX = 256 };

struct calling {
    struct job job;
    struct args args;
    const char *tool, *base, *output;
    const char *words[WORDS_MAX]; /* key=value */
    size_t word_count;
    bool json;
    uint64_t timeout_ms;
    struct call *call;
    int status;
};

/* --- the command line ------------------------------------------------------------------ */

static int take_option(struct calling *calling, const char *option)
{
    struct args *args = &calling->args;

    if (strcmp(option, "--json") == 0) {
        calling->json = true;
    } else if (option_is(option, "--timeout")) {
        if (!args_seconds(args, option, &calling->timeout_ms))
            return EXIT_USAGE;
    } else if (option_is(option, "--args")) {
        if (!(calling->base = args_value(args, option)))
            return EXIT_USAGE;
    } else if (option_is(option, "--output") || strcmp(option, "-o") == 0) {
        if (!(calling->output = args_value(args, option)))
            return EXIT_USAGE;
    } else {
        return usage_error("call", "unknown option %s", option);
    }
    return EXIT_OK;
}

static int parse(struct calling *calling, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&calling->args, argc, argv);
    while (args_next(&calling->args, &option, &value, &bad)) {
        if (option) {
            if (take_option(calling, option) != EXIT_OK)
                return EXIT_USAGE;
        } else if (!calling->tool) {
            calling->tool = value;
        } else if (calling->word_count == WORDS_MAX) {
            return usage_error("call", "too many arguments; give them with --args @FILE");
        } else {
            calling->words[calling->word_count++] = value;
        }
    }
    if (bad)
        return EXIT_USAGE;
    if (!calling->tool && !calling->args.common.help)
        return usage_error("call", "which tool? `perigee tools` lists them");
    return EXIT_OK;
}

/* --- what it is called with ---------------------------------------------------------------- */

static bool collect(const struct calling *calling, struct arguments *arguments, struct error *err)
{
    if (calling->base && !arguments_read(arguments, calling->base, err))
        return false;
    for (size_t i = 0; i < calling->word_count; i++)
        if (!arguments_add(arguments, calling->words[i], err))
            return false;
    return true;
}

/* The arguments as a document that fits the tool's schema; NULL after printing why not. */
static struct json_doc *read_arguments(const struct calling *calling, const struct entry *entry)
{
    struct arguments arguments;
    struct json_doc *doc = NULL;
    struct error err;
    bool ok;

    arguments_init(&arguments, json_get(json_root(entry->definition), "inputSchema"));
    ok = collect(calling, &arguments, &err) && (doc = json_copy(arguments.object, &err)) &&
         schema_check(entry->input, json_root(doc), &err);
    arguments_free(&arguments);
    if (ok)
        return doc;
    output_message("call", "%s: %s", entry->name, err.text);
    fprintf(stderr, "`perigee tools %s` shows its parameters.\n", entry->name);
    json_doc_free(doc);
    return NULL;
}

/* --- the answer ------------------------------------------------------------------------------ */

static int save_binary(const struct calling *calling, const cJSON *result)
{
    struct buf bytes = { 0 };
    struct error err = { .text = "" };
    const char *mime = "";
    bool ok;

    if (!render_binary(result, &bytes, &mime)) {
        output_message("call", "%s gave no picture, sound or file; --output has nothing to save",
                       calling->tool);
        return EXIT_FAILED;
    }
    if (strcmp(calling->output, "-") == 0) {
        ok = fwrite(bytes.data, 1, bytes.len, stdout) == bytes.len;
    } else {
        ok = file_write_atomic(calling->output, bytes.data, bytes.len, 0, &err);
        if (ok && terminal_is(stderr))
            fprintf(stderr, "saved %s (%s, %zu bytes)\n", calling->output, mime, bytes.len);
    }
    buf_free(&bytes);
    return ok || !*err.text ? EXIT_OK : report_error("call", &err);
}

static int show_result(const struct calling *calling, const struct buf *text)
{
    struct json_limits limits = { (size_t)1 << 30, 2 * VALUE_DEPTH, 10000000 };
    struct buf said = { 0 };
    struct error err;
    struct json_doc *doc = json_parse(text->data, text->len, &limits, &err);
    bool failed = doc && cJSON_IsTrue(json_get(json_root(doc), "isError"));
    int status = failed ? EXIT_TOOL : EXIT_OK;

    if (!doc)
        return report_error("call", &err);
    if (calling->json) {
        fwrite(text->data, 1, text->len, stdout);
        putchar('\n');
    }
    if (failed) {
        render_text(json_root(doc), &said);
        output_error_text(said.data, said.len);
        buf_free(&said);
    } else if (calling->output) {
        status = save_binary(calling, json_root(doc));
    } else if (!calling->json) {
        render_result(json_root(doc), stdout);
    }
    json_doc_free(doc);
    return status;
}

static void on_done(void *arg, const struct outcome *outcome)
{
    struct calling *calling = arg;
    struct buf out = { 0 };

    job_done(&calling->job);
    calling->call = NULL;
    progress_clear();
    outcome_write_object(outcome, &out);
    if (outcome->end == TASK_CANCELLED)
        calling->status = job_status(outcome->end);
    else
        calling->status = show_result(calling, &out);
    if (outcome->end == TASK_TIMED_OUT)
        calling->status = EXIT_TIMEOUT;
    buf_free(&out);
}

static void on_progress(void *arg, double done, double total, const char *message)
{
    (void)arg;
    progress_show(done, total, message);
}

static enum log_level level_of(const char *level)
{
    enum log_level known;

    if (log_level_named(level, &known))
        return known;
    return strcmp(level, "notice") == 0 ? LOG_INFO : LOG_ERROR;
}

static void on_log(void *arg, const char *level, const char *logger, lua_State *L, int data)
{
    struct calling *calling = arg;
    struct buf text = { 0 };
    struct error err;

    buf_addf(&text, "%s: ", logger ? logger : calling->tool);
    if (lua_type(L, data) == LUA_TSTRING)
        buf_adds(&text, lua_tostring(L, data));
    else if (!value_write_json(L, data, &text, &err))
        buf_adds(&text, err.text);
    progress_clear();
    log_bytes(level_of(level), text.data, text.len);
    buf_free(&text);
}

static void cancel(struct job *job)
{
    call_cancel(container_of(job, struct calling, job)->call);
}

static void start(struct calling *calling, struct engine *engine, struct entry *entry,
                  const cJSON *arguments)
{
    struct call_spec spec = { .entry = entry,
                              .args = arguments,
                              .timeout_ms = calling->timeout_ms,
                              .progress = on_progress,
                              .log = on_log,
                              .done = on_done,
                              .arg = calling };

    job_begin(&calling->job, engine, cancel);
    engine_listen(engine, "call");
    calling->call = call_start(vm_lua(engine_vm(engine)), &spec);
    job_wait(&calling->job);
}

static int call(struct calling *calling)
{
    struct engine *engine = common_engine(&calling->args.common, "call", NULL, NULL);
    struct entry *entry = engine ? find_tool(engine, "call", calling->tool) : NULL;
    struct json_doc *arguments = entry ? read_arguments(calling, entry) : NULL;

    calling->status = engine ? EXIT_USAGE : EXIT_FAILED;
    if (arguments)
        start(calling, engine, entry, json_root(arguments));
    json_doc_free(arguments);
    engine_free(engine);
    return calling->status;
}

static int run(int argc, char **argv)
{
    struct calling calling = { .tool = NULL };
    int status = parse(&calling, argc, argv);

    if (status == EXIT_OK && calling.args.common.help) {
        status = command_help_text(&command_call);
    } else if (status == EXIT_OK) {
        common_log_level(&calling.args.common);
        common_grant_first(&calling.args.common, ".");
        status = call(&calling);
    }
    args_free(&calling.args);
    return output_finish("call", status);
}

const struct command command_call = {
    "call", "call one tool",
    "usage: perigee call TOOL [key=value | key:=JSON]... [options]\n"
    "\n"
    "Calls a tool in this process and prints its answer. key=value is read by the tool's\n"
    "parameters: numbers, true or false, lists (a,b,c, or the key given again); key:=JSON is\n"
    "taken as it is; a.b=value sets b within a.\n"
    "\n"
    "  --args JSON       all arguments as one JSON object; @FILE reads it from a file, - from\n"
    "                    stdin; key=value words come on top\n"
    "  --json            print the whole result as one line of JSON\n"
    "  -o, --output FILE save the first picture, sound or file of the result; - for stdout\n"
    "  --timeout S       seconds until it is stopped; default: what the tool says, or 60\n"
    "  --grant DIR       let the tool read and write files there, besides the current folder\n"
    "  --root DIR, --toolset A,B, --no-user-root   as for `perigee serve`\n"
    "  -v, --verbose     progress and log lines also where stderr is no terminal\n"
    "\n"
    "Exit status: 0, 3 when the tool answers with an error (its text is on stderr), 2 when there\n"
    "is no such tool or parameter, 124 when it takes too long, 130 after Ctrl-C.\n",
    .run = run
};
