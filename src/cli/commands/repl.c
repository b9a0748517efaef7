/* perigee repl -- a conversation. Each input is a task, so that it can wait, and
 * Ctrl-C can end it; while the prompt waits the loop turns and files are reloaded. */
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/commands/native.h"
#include "cli/commands/prompt.h"
#include "cli/interrupt.h"
#include "cli/line_input.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "files/file.h"
#include "files/paths.h"

struct repl {
    struct common common;
    struct engine *engine;
    struct prompt prompt;
    struct line_input *input;
    struct buf text;   /* of an input of several lines */
    struct task *task; /* the running one; NULL: none */
    bool over;
    int status;
};

static void ask(struct repl *repl)
{
    output_flush();
    line_input_ask(repl->input, repl->text.len ? ">> " : "> ");
}

static void complete(void *arg, const char *line, size_t len, struct buf *out, size_t *replace)
{
    struct repl *repl = arg;

    prompt_complete(&repl->prompt, &repl->text, (struct str){ line, len }, out, replace);
}

static void leave(struct repl *repl, int status)
{
    repl->over = true;
    repl->status = status;
    interrupt_wake();
}

static void complain(struct repl *repl, const char *text)
{
    output_flush();
    terminal_paint(stderr, STYLE_RED, "error: ");
    output_error_text(text, strlen(text));
    if (!line_input_typed(repl->input))
        repl->status = EXIT_FAILED;
}

/* --- running what was typed ------------------------------------------------------------- */

static void on_print(void *context, const char *text, size_t len)
{
    (void)context;
    terminal_write_own(stdout, text, len);
    putchar('\n');
}

static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct repl *repl = arg;
    char *traceback = NULL;
    struct error err;

    repl->task = NULL;
    if (end == TASK_DONE) {
        if (!prompt_show(&repl->prompt, task, nresults, &err))
            complain(repl, err.text);
    } else if (end == TASK_FAILED) {
        task_error(task, &err, &traceback);
        complain(repl, traceback ? traceback : err.text);
        free(traceback);
    } else {
        task_end_error(task, end, &err);
        if (!repl->over && line_input_typed(repl->input))
            putchar('\n'); /* after the terminal's ^C */
        if (!repl->over)
            complain(repl, end == TASK_CANCELLED ? "interrupted" : err.text);
    }
    if (repl->over)
        return;
    interrupt_clear();
    ask(repl);
}

/* The function on top of the main state. */
static void run_chunk(struct repl *repl)
{
    struct task_spec spec = {
        .name = "repl", .print = on_print, .context = NULL, .ended = on_ended, .arg = repl
    };

    struct error err;

    repl->task = task_new(vm_lua(engine_vm(repl->engine)), 0, &spec, &err);
    if (repl->task) {
        task_go(repl->task);
        return;
    }
    complain(repl, err.text);
    ask(repl);
}

static bool is_blank(const struct buf *text)
{
    return strspn(text->len ? text->data : "", " \t\r\n") >= text->len;
}

/* What people type to leave, unless it is a part of something longer. */
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

static void on_line(void *arg, const char *text, size_t len)
{
    struct repl *repl = arg;
    struct error err;

    if (!repl->text.len && is_farewell(text)) {
        leave(repl, repl->status);
        return;
    }

    line_input_remember(repl->input, text);
    if (repl->text.len)
        buf_addc(&repl->text, '\n');
    buf_add(&repl->text, text, len);
    buf_text(&repl->text);
    if (is_blank(&repl->text)) {
        repl->text.len = 0;
        ask(repl);
    } else if (prompt_load(&repl->prompt, &repl->text, &err)) {
        repl->text.len = 0;
        run_chunk(repl);
    } else if (prompt_unfinished(&err)) {
        ask(repl);
    } else {
        repl->text.len = 0;
        complain(repl, err.text);
        ask(repl);
    }
}

static void on_end(void *arg)
{
    struct repl *repl = arg;
    struct error err;

    if (line_input_typed(repl->input))
        putchar('\n');
    else if (repl->text.len && !prompt_load(&repl->prompt, &repl->text, &err))
        complain(repl, err.text);
    leave(repl, repl->status);
}

/* Ctrl-C ends what runs, or drops what was typed; other signals end it all. */
static void on_interrupt(void *arg)
{
    struct repl *repl = arg;

    if (interrupt_signal() != SIGINT) {
        leave(repl, interrupt_status());
        if (repl->task)
            task_cancel(repl->task);
        return;
    }
    if (repl->task) {
        task_cancel(repl->task);
        return;
    }
    interrupt_clear();
    if (!line_input_typed(repl->input)) {
        leave(repl, EXIT_INTERRUPTED);
        return;
    }
    line_input_drop(repl->input);
    repl->text.len = 0;
    puts("^C");
    ask(repl);
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

static void turn(struct repl *repl)
{
    while (!repl->over) {
        if (!output_flush()) {
            leave(repl, EXIT_FAILED);
            break;
        }
        uv_run(engine_loop(repl->engine), UV_RUN_ONCE);
    }
}

static int converse(struct repl *repl)
{
    char *history = terminal_is(stdin) ? history_file() : NULL;
    struct line_input_spec spec = { .loop = engine_loop(repl->engine),
                                    .history = history,
                                    .complete = complete,
                                    .line = on_line,
                                    .end = on_end,
                                    .arg = repl };
    struct error err;

    if (!prompt_open(&repl->prompt, repl->engine, &err)) {
        free(history);
        return report_error("repl", &err);
    }
    engine_listen(repl->engine, "repl");
    engine_watch(repl->engine);
    interrupt_start(engine_loop(repl->engine), on_interrupt, repl);
    repl->input = line_input_open(&spec);
    free(history);
    if (line_input_typed(repl->input) && terminal_is(stdout))
        puts("perigee " PERIGEE_VERSION ". tools.NAME{...} calls a tool, Tab completes, "
             "Ctrl-D leaves.\n`help` says more.");
    ask(repl);
    turn(repl);
    if (repl->task)
        task_cancel(repl->task);
    line_input_close(repl->input);
    interrupt_stop();
    /* a SIGTERM that came together with the end of input is still what ended it */
    if (interrupt_signal() && interrupt_signal() != SIGINT)
        return interrupt_status();
    return repl->status;
}

static int run_with_engine(struct repl *repl)
{
    int status;

    if (!command_places(&repl->common, "repl"))
        return EXIT_USAGE;
    command_log_level(&repl->common);
    command_grant_here(&repl->common);
    repl->engine = command_engine(&repl->common, "repl", NULL, NULL);
    if (!repl->common.verbose && !repl->common.quiet && !logging_level())
        log_set_level(
            LOG_WARNING); /* files that were reloaded are no news in the line being typed */
    if (repl->engine)
        vm_print_to(engine_vm(repl->engine), on_print);
    status = repl->engine ? converse(repl) : EXIT_FAILED;
    prompt_close(&repl->prompt);
    engine_free(repl->engine);
    return status;
}

static int run(int argc, char **argv)
{
    struct repl repl = { .over = false };
    int status = EXIT_USAGE;

    if (options_read(&command_repl, argc, argv, &repl.common, NULL, NULL))
        status = repl.common.help ? command_help(&command_repl) : run_with_engine(&repl);
    buf_free(&repl.text);
    options_free(&repl.common);
    return output_finish("repl", status);
}

const struct command command_repl = {
    .name = "repl",
    .summary = "start a prompt for Lua with every tool as a function",
    .usage = "repl [options]",
    .description =
        "Reads Lua, runs it and prints its values. Every tool is a function of the table `tools`, "
        "called with its arguments by name; `perigee` is require(\"perigee\"), `_` the last value. "
        "`tools` shows their names, `help(tools.NAME)` one of them, `help` how all this works, "
        "`exit` leaves. Globals stay from one input to the next, locals do not. Unfinished input "
        "continues on "
        "the next line. Tab completes names, fields, tools and their parameters. Ctrl-C stops "
        "the running input or drops the typed line; Ctrl-D also leaves. Changed files are reloaded "
        "while the prompt waits. Without a terminal, lines are read and results written, without "
        "prompts.",
    .notes =
        "Lines typed at a terminal are kept in the file `history` of the state directory "
        "(~/.local/state/perigee; macOS: ~/Library/Application Support/perigee), readable by you "
        "alone.\n"
        "\n"
        "Exit status: 0 success, 1 an input from a file or pipe failed, 2 usage error",
    .run = run,
};
