/* perigee repl -- a conversation, with this process or with a running engine. Each input is a task,
 * so that it can wait, and Ctrl-C can end it; so is what Tab asks for. While the prompt waits the
 * loop turns and files are reloaded. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/commands/native.h"
#include "cli/commands/prompt.h"
#include "cli/heed.h"
#include "cli/interrupt.h"
#include "cli/line_input.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "files/file.h"
#include "files/paths.h"

struct repl {
    struct common common;
    bool attach;
    int pid; /* the engine's process; 0: the only one */
    uint64_t timeout_ms;
    struct engine *engine;
    struct prompt prompt;
    struct line_input *input;
    struct buf text;     /* lines of an unfinished input */
    struct task *task;   /* the running one; NULL: none */
    struct task *tab;    /* completes for Tab; NULL: none */
    struct task *waiter; /* for the end of the engine; NULL: none */
    char *gone;          /* owned; it ended while something ran: what is to be said after it */
    bool opened, over;
    int status;
};

static void repl_ask(struct repl *repl)
{
    output_flush();
    line_input_ask(repl->input, repl->text.len ? ">> " : "> ");
}

static void repl_leave(struct repl *repl, int status)
{
    repl->over = true;
    repl->status = status;
    interrupt_wake();
}

static void print_repl_error(struct repl *repl, const char *text)
{
    output_flush();
    terminal_paint(stderr, STYLE_RED, "error: ");
    output_error_text(text, strlen(text));
    if (!line_input_typed(repl->input))
        repl->status = EXIT_FAILED;
}

static void on_repl_print(void *context, const char *text, size_t len)
{
    (void)context;
    terminal_write_own(stdout, text, len);
    putchar('\n');
}

/* How a task ended that has no results. */
static void tell_end(struct task *task, enum task_end end, struct buf *out)
{
    char *traceback = NULL;
    struct error err;

    if (end == TASK_FAILED) {
        task_error(task, &err, &traceback);
        buf_adds(out, traceback ? traceback : err.text);
        free(traceback);
    } else {
        task_end_error(task, end, &err);
        buf_adds(out, end == TASK_CANCELLED ? "interrupted" : err.text);
    }
}

/* --- Tab -------------------------------------------------------------------------------- */

/* choices, replace, hint */
static void on_repl_completed(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct repl *repl = arg;
    lua_State *L = task_lua(task);
    int first = lua_gettop(L) - nresults + 1;
    const char *hint = NULL;
    struct buf found = { 0 };
    size_t replace = 0;

    repl->tab = NULL;
    if (end == TASK_DONE && nresults >= 2 && lua_istable(L, first)) {
        replace = (size_t)lua_tointeger(L, first + 1);
        if (nresults >= 3 && lua_type(L, first + 2) == LUA_TSTRING)
            hint = lua_tostring(L, first + 2);
        for (lua_Integer i = 1; lua_rawgeti(L, first, i) == LUA_TSTRING; i++) {
            buf_adds(&found, lua_tostring(L, -1));
            buf_addc(&found, '\0');
            lua_pop(L, 1);
        }
    }
    if (!repl->over)
        line_input_offer(repl->input, &found, replace, hint);
    buf_free(&found);
}

static void repl_complete(void *arg, const char *text, size_t len)
{
    static const struct buf nothing;
    struct repl *repl = arg;
    struct prompt_args args = { .text = { text, len } };
    struct error err;

    repl->tab = prompt_call(&repl->prompt, "complete", &args, on_repl_completed, repl, &err);
    if (repl->tab)
        task_go(repl->tab);
    else
        line_input_offer(repl->input, &nothing, 0, NULL);
}

static bool is_unfinished_text(void *arg, const char *text, size_t len)
{
    struct repl *repl = arg;

    return prompt_unfinished(&repl->prompt, (struct str){ text, len });
}

/* --- running what was typed ------------------------------------------------------------- */

/* kind, text */
static void repl_show(struct repl *repl, lua_State *L, int first, int nresults)
{
    const char *kind =
        nresults >= 1 && lua_type(L, first) == LUA_TSTRING ? lua_tostring(L, first) : "nothing";
    size_t len = 0;
    const char *text = nresults >= 2 && lua_type(L, first + 1) == LUA_TSTRING
                           ? lua_tolstring(L, first + 1, &len)
                           : "";

    if (strcmp(kind, "shown") == 0)
        on_repl_print(NULL, text, len);
    else if (strcmp(kind, "nothing") != 0)
        print_repl_error(repl, text);
    if (strcmp(kind, "gone") == 0)
        repl_leave(repl, EXIT_FAILED);
}

static void on_repl_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct repl *repl = arg;
    struct buf why = { 0 };

    repl->task = NULL;
    if (end == TASK_DONE) {
        repl_show(repl, task_lua(task), lua_gettop(task_lua(task)) - nresults + 1, nresults);
    } else if (!repl->over) {
        if (end != TASK_FAILED && line_input_typed(repl->input))
            putchar('\n'); /* after the terminal's ^C */
        tell_end(task, end, &why);
        print_repl_error(repl, buf_text(&why));
        buf_free(&why);
    }
    if (repl->over)
        return;
    if (repl->gone) {
        print_repl_error(repl, repl->gone);
        repl_leave(repl, EXIT_FAILED);
        return;
    }
    interrupt_clear();
    repl_ask(repl);
}

static void evaluate_text(struct repl *repl)
{
    struct prompt_args args = { buf_str(&repl->text), terminal_width(stdout, 100),
                                terminal_colours(stdout) };
    struct error err;

    repl->task = prompt_call(&repl->prompt, "evaluate", &args, on_repl_ended, repl, &err);
    repl->text.len = 0;
    if (repl->task) {
        task_go(repl->task);
        return;
    }
    print_repl_error(repl, err.text);
    repl_ask(repl);
}

static bool is_blank_text(const struct buf *text)
{
    return strspn(text->len ? text->data : "", " \t\r\n") >= text->len;
}

/* Words that people type to leave, unless they are a part of something longer. */
static bool is_farewell(const char *text)
{
    static const char *const words[] = { "exit", "exit()", "quit", "quit()" };
    size_t blank = strspn(text, " \t\r"), len = strcspn(text + blank, " \t\r\n");

    if (text[blank + len + strspn(text + blank + len, " \t\r\n")])
        return false;
    for (size_t i = 0; i < countof(words); i++)
        if (strlen(words[i]) == len && memcmp(words[i], text + blank, len) == 0)
            return true;
    return false;
}

static void on_repl_line(void *arg, const char *text, size_t len)
{
    struct repl *repl = arg;

    if (!repl->text.len && is_farewell(text)) {
        repl_leave(repl, repl->status);
        return;
    }
    line_input_remember(repl->input, text);
    if (repl->text.len)
        buf_addc(&repl->text, '\n');
    buf_add(&repl->text, text, len);
    buf_text(&repl->text);
    if (is_blank_text(&repl->text)) {
        repl->text.len = 0;
        repl_ask(repl);
    } else if (prompt_unfinished(&repl->prompt, buf_str(&repl->text))) {
        repl_ask(repl);
    } else {
        evaluate_text(repl);
    }
}

/* Unfinished input is run for the error that says so. */
static void on_repl_end(void *arg)
{
    struct repl *repl = arg;

    if (line_input_typed(repl->input)) {
        putchar('\n');
    } else if (repl->text.len) {
        evaluate_text(repl);
        return;
    }
    repl_leave(repl, repl->status);
}

/* Ctrl-C ends what runs, or drops what was typed; other signals end it all. */
static void on_repl_interrupt(void *arg)
{
    struct repl *repl = arg;

    if (interrupt_signal() != SIGINT || !repl->opened) {
        repl_leave(repl, interrupt_status());
        if (repl->task)
            task_cancel(repl->task);
        return;
    }
    if (repl->tab)
        task_cancel(repl->tab);
    if (repl->task) {
        task_cancel(repl->task);
        return;
    }
    interrupt_clear();
    if (!line_input_typed(repl->input)) {
        repl_leave(repl, EXIT_INTERRUPTED);
        return;
    }
    line_input_drop(repl->input);
    repl->text.len = 0;
    puts("^C");
    repl_ask(repl);
}

/* --- life ----------------------------------------------------------------------------------- */

static char *history_file(void)
{
    char *folder = path_state();
    struct error err;
    char *file = NULL;

    if (folder_make(folder, &err))
        file = path_join(folder, "history");
    else
        log_warn("what is typed is not kept: %s", err.text);
    free(folder);
    return file;
}

static void run_repl_loop(struct repl *repl)
{
    while (!repl->over) {
        if (!output_flush()) {
            repl_leave(repl, EXIT_FAILED);
            break;
        }
        uv_run(engine_loop(repl->engine), UV_RUN_ONCE);
    }
}

/* The engine is gone. */
static void on_engine_gone(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct repl *repl = arg;
    lua_State *L = task_lua(task);

    repl->waiter = NULL;
    if (repl->over || end != TASK_DONE || nresults < 1 || lua_type(L, -1) != LUA_TSTRING)
        return;
    if (repl->task) { /* it hears of it by itself, unless it had its answer before */
        repl->gone = mem_strdup(lua_tostring(L, -1));
        return;
    }
    line_input_drop(repl->input);
    if (line_input_typed(repl->input))
        putchar('\n');
    print_repl_error(repl, lua_tostring(L, -1));
    repl_leave(repl, EXIT_FAILED);
}

static void await_engine_end(struct repl *repl)
{
    struct error err;

    if (!prompt_can(&repl->prompt, "wait"))
        return;
    repl->waiter = prompt_call(&repl->prompt, "wait", NULL, on_engine_gone, repl, &err);
    if (repl->waiter)
        task_go(repl->waiter);
}

static void on_opened(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct repl *repl = arg;
    struct buf why = { 0 };
    struct error err;

    repl->task = NULL;
    if (end != TASK_DONE) {
        tell_end(task, end, &why);
        error_set(&err, "failed", "%s", buf_text(&why));
        buf_free(&why);
    }
    if (repl->over)
        return;
    if (end != TASK_DONE || !prompt_opened(&repl->prompt, task, nresults, &err)) {
        repl_leave(repl, report_error("repl", &err));
        return;
    }
    repl->opened = true;
    if (line_input_typed(repl->input) && terminal_is(stdout))
        puts(prompt_text(&repl->prompt, "banner"));
    await_engine_end(repl);
    repl_ask(repl);
}

static bool open_prompt(struct repl *repl, struct error *err)
{
    repl->prompt.print = on_repl_print;
    if (!prompt_load(&repl->prompt, repl->engine, repl->attach, err))
        return false;
    repl->task = prompt_open(&repl->prompt, repl->pid, repl->timeout_ms, terminal_is(stdin),
                             on_opened, repl, err);
    if (repl->task)
        task_go(repl->task);
    return repl->opened || repl->task || repl->over;
}

static void end_repl_tasks(struct repl *repl)
{
    struct task *tasks[] = { repl->task, repl->tab, repl->waiter };

    repl->over = true;
    for (size_t i = 0; i < countof(tasks); i++)
        if (tasks[i])
            task_cancel(tasks[i]);
}

static int repl_converse(struct repl *repl)
{
    char *history = terminal_is(stdin) ? history_file() : NULL;
    struct line_input_spec spec = { .loop = engine_loop(repl->engine),
                                    .history = history,
                                    .unfinished = is_unfinished_text,
                                    .complete = repl_complete,
                                    .line = on_repl_line,
                                    .end = on_repl_end,
                                    .arg = repl };
    struct error err;

    if (!repl->attach) {
        engine_listen(repl->engine, "repl");
        engine_watch(repl->engine);
    }
    interrupt_start(engine_loop(repl->engine), on_repl_interrupt, repl);
    repl->input = line_input_open(&spec);
    free(history);
    if (!open_prompt(repl, &err))
        repl_leave(repl, report_error("repl", &err));
    run_repl_loop(repl);
    end_repl_tasks(repl);
    line_input_close(repl->input);
    free(repl->gone);
    interrupt_stop();
    /* a SIGTERM that came together with the end of input is still what ended it */
    if (interrupt_signal() && interrupt_signal() != SIGINT)
        return interrupt_status();
    return repl->status;
}

static int repl_with_engine(struct repl *repl)
{
    int status;

    if (!command_places(&repl->common, "repl"))
        return EXIT_USAGE;
    command_log_level(&repl->common);
    logging_settings();
    command_grant_here(&repl->common);
    repl->engine = command_engine(&repl->common, "repl", NULL, NULL);
    if (!repl->common.verbose && !repl->common.quiet && !logging_level())
        log_set_level(
            LOG_WARNING); /* files that were reloaded are no news in the line being typed */
    if (repl->engine) {
        heed_before_acting(engine_vm(repl->engine));
        vm_print_to(engine_vm(repl->engine), on_repl_print);
    }
    status = repl->engine ? repl_converse(repl) : EXIT_FAILED;
    prompt_close(&repl->prompt);
    engine_free(repl->engine);
    return status;
}

/* --- the command line -------------------------------------------------------------------- */

static const struct option options[] = {
    { "attach", .offset = offsetof(struct repl, attach),
      .about = "in a running engine: the only one, or the one whose process id follows" },
    { "timeout", .type = OPTION_SECONDS, .offset = offsetof(struct repl, timeout_ms), .value = "S",
      .absent = "60", .about = "with --attach: stop what is typed after S seconds" },
    { 0 },
};

/* Options may stand behind the process id, too. */
static bool repl_parse(struct repl *repl, int argc, char **argv)
{
    int rest;
    char *end;
    long pid;

    if (!options_read(&command_repl, argc, argv, &repl->common, repl, &rest))
        return false;
    if (rest == argc || repl->common.help)
        return true;
    pid = strtol(argv[rest], &end, 10);
    if (!repl->attach || *end || pid <= 0 || pid > INT32_MAX || repl->pid) {
        usage_error("repl", "it takes no argument (\"%.60s\")", argv[rest]);
        return false;
    }
    repl->pid = (int)pid;
    argv[rest] = argv[0];
    return repl_parse(repl, argc - rest, argv + rest);
}

/* An engine that runs is what it is. */
static bool repl_fits(const struct repl *repl)
{
    const struct common *common = &repl->common;
    bool made = common->roots.count || common->toolsets.count || common->grants.count ||
                common->mounts.count || common->config || common->no_user_root;

    if (repl->attach && made)
        usage_error("repl", "--root, --toolset, --grant, --mount, --config and --no-user-root are "
                            "for an engine that is started, and --attach takes one that runs");
    if (!repl->attach && repl->timeout_ms)
        usage_error("repl", "--timeout is for --attach");
    return !(repl->attach && made) && (repl->attach || !repl->timeout_ms);
}

static int run_repl(int argc, char **argv)
{
    struct repl repl = { .over = false };
    int status = EXIT_USAGE;

    if (repl_parse(&repl, argc, argv)) {
        if (repl.common.help)
            status = command_help(&command_repl);
        else if (repl_fits(&repl))
            status = repl_with_engine(&repl);
    }
    buf_free(&repl.text);
    options_free(&repl.common);
    return output_finish("repl", status);
}

const struct command command_repl = {
    .name = "repl",
    .summary = "start a prompt for Lua with every tool as a function",
    .usage = "repl [options]\n"
             "repl --attach [PID] [--timeout S]",
    .description =
        "Reads Lua, runs it and prints its values. Every tool is a function of the table `tools`, "
        "called with its arguments by name; `sys.NAME` is require(\"sys.NAME\"), `perigee` "
        "require(\"perigee\"), `_` the last value. "
        "`tools` shows their names, `help(tools.NAME)` one of them, `help(sys.window.move)` what a "
        "function does, `help` how all this works, "
        "`exit` leaves. Globals stay from one input to the next, locals do not. Unfinished input "
        "goes on with another line, and Alt-Enter begins one; the arrow keys move between the "
        "lines. Tab completes names, fields, modules, tools, arguments and their values. Ctrl-C "
        "stops the running input or drops what was typed; Ctrl-D also leaves. Changed files are "
        "reloaded "
        "while the prompt waits. Without a terminal, lines are read and results written, without "
        "prompts.\n"
        "\n"
        "With --attach all that runs in an engine that runs already (`perigee ps` lists them), "
        "with "
        "the state of its tools and what it may use. It does not hold the engine up: input is "
        "stopped after 60 seconds, or as --timeout says, and when it takes more than 64 MB. Tools "
        "pass the engine's policy as calls from a terminal.",
    .options = options,
    .notes =
        "Lines typed at a terminal are kept in the file `history` of the state directory "
        "(~/.local/state/perigee; macOS: ~/Library/Application Support/perigee), readable by you "
        "alone.\n"
        "\n"
        "Exit status: 0 success, 1 an input from a file or pipe failed, or the engine ended, 2 "
        "usage error",
    .run = run_repl,
};
