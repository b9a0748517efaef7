/* perigee run -- a person's script, with every tool as a function. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/dry_run.h"
#include "base/log.h"
#include "cli/asks.h"
#include "cli/cli_run.h"
#include "cli/commands/native.h"
#include "cli/commands/rerun.h"
#include "cli/given_places.h"
#include "cli/heed.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "cli/read_input.h"
#include "process/session_display.h"
#include "registry/call/caller.h"
#include "registry/call/gate.h"

enum { SCRIPT_BYTES = 16 * 1024 * 1024 };

struct command_line {
    const char *file, *code;
    uint64_t timeout_ms;
    bool dry_run, watch;
    struct common common;
    int argc; /* the script's own arguments */
    char **argv;
    struct buf text;
};

static const struct option options[] = {
    { NULL, .letter = 'e', .type = OPTION_STRING, .offset = offsetof(struct command_line, code),
      .value = "CODE", .about = "run this Lua text instead of a file" },
    { "dry-run", .offset = offsetof(struct command_line, dry_run),
      .about = "only say what the script would do; it acts on a copy of the desktop" },
    { "timeout", .type = OPTION_SECONDS, .offset = offsetof(struct command_line, timeout_ms),
      .value = "S", .absent = "no limit", .about = "stop the script after S seconds" },
    { "watch", .offset = offsetof(struct command_line, watch),
      .about = "run it again each time it is saved, or a file beside it that it requires" },
    { 0 },
};

/* --watch needs a file that can be saved. */
static bool check_watch(const struct command_line *line)
{
    if (!line->watch || line->common.help)
        return true;
    if (line->file && strcmp(line->file, "-") != 0)
        return true;
    usage_error("run", "--watch needs a FILE that can be saved");
    return false;
}

/* The words for one run: without --watch, which stands before the file. */
static void drop_watch(char **argv, int rest)
{
    char **to = argv + 1;

    for (char **from = argv + 1; *from; from++)
        if (from >= argv + rest || strcmp(*from, "--watch") != 0)
            *to++ = *from;
    *to = NULL;
}

static bool command_line_parse(struct command_line *line, int argc, char **argv)
{
    int rest;

    if (!options_read(&command_run, argc, argv, &line->common, line, &rest))
        return false;
    if (!line->code && !line->common.help) {
        if (rest == argc) {
            usage_error("run", "which script? Name a file, - for stdin, or give -e CODE");
            return false;
        }
        line->file = argv[rest++];
    }
    line->argc = argc - rest;
    line->argv = argv + rest;
    if (!check_watch(line))
        return false;
    if (line->watch)
        drop_watch(argv, rest - 1);
    return true;
}

static bool read_script_text(struct command_line *line, struct error *err)
{
    if (line->file)
        return read_input(line->file, SCRIPT_BYTES, &line->text, err);
    buf_adds(&line->text, line->code);
    return true;
}

/* With the name in its directory that was probably meant. */
static int no_script(const struct command_line *line, const struct error *err)
{
    char *near =
        line->file && strcmp(err->code, "not_found") == 0 ? given_file_nearest(line->file) : NULL;

    if (near)
        output_message("run", "%s; did you mean %s?", err->text, near);
    else
        report_error("run", err);
    free(near);
    return EXIT_FAILED;
}

static const char *script_name(const struct command_line *line)
{
    if (line->code)
        return "(command line)";
    return strcmp(line->file, "-") == 0 ? "stdin" : line->file;
}

/* The folder that the script is in, links resolved; NULL: it is in none. The caller frees. */
static char *script_folder(const char *file)
{
    char *path = file && strcmp(file, "-") != 0 ? realpath(file, NULL) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL;

    if (slash)
        slash[slash == path] = '\0';
    return path;
}

static const struct call_reports reports = { .ask = asks_put, .unask = asks_drop, .can = asks_can };

static int run_script(struct command_line *line, struct engine *engine)
{
    struct cli_run run;
    struct script_spec spec = { .name = script_name(line),
                                .timeout_ms = line->timeout_ms,
                                .reports = &reports };
    struct cli_args args = { spec.name, line->argc, line->argv };
    char *folder = script_folder(line->file);
    struct error err;
    int status;

    if (folder && !fs_grants_add(engine_grants(engine), folder, true, &err)) {
        free(folder);
        return report_error("run", &err);
    }
    spec.folder = folder;
    spec.looked = rerun_report();
    spec.text = line->text.len ? line->text.data : "";
    spec.len = line->text.len;
    cli_run_init(&run, engine, "run");
    engine_listen(engine, "run");
    caller_set_default(CALLER_SCRIPT);
    status = cli_run_script(&run, &spec, cli_run_push_args, &args);
    free(folder);
    return status;
}

static int script_with_engine(struct command_line *line)
{
    struct engine *engine;
    struct error err;
    int status;

    if (!command_places(&line->common, "run"))
        return EXIT_USAGE;
    command_log_level(&line->common);
    logging_settings();
    command_grant_here(&line->common);
    if (!read_script_text(line, &err))
        return no_script(line, &err);
    if (line->dry_run)
        dry_run_begin();
    engine = command_engine(&line->common, "run", NULL, NULL);
    if (engine)
        heed_before_acting(engine_vm(engine));
    status = engine ? run_script(line, engine) : EXIT_FAILED;
    engine_free(engine);
    return status;
}

static int run_command(int argc, char **argv)
{
    struct command_line line = { .file = NULL };
    int status = EXIT_USAGE;

    if (command_line_parse(&line, argc, argv)) {
        if (line.common.help)
            status = command_help(&command_run);
        else if (line.watch)
            status = rerun(argv, line.file);
        else
            status = script_with_engine(&line);
    }
    buf_free(&line.text);
    options_free(&line.common);
    return output_finish("run", status);
}

const struct command command_run = {
    .name = "run",
    .summary = "run a Lua script that can use every tool",
    .usage = "run [options] FILE [arguments]\n"
             "run [options] - [arguments]\n"
             "run [options] -e CODE [arguments]",
    .description =
        "Runs a Lua script from FILE, from stdin (-) or from the command line (-e). In the script "
        "every tool is a function of the table `tools`, called with its arguments by name:\n"
        "\n"
        "    tools.draw_rectangle{x=1, y=2, width=30, height=40}\n"
        "\n"
        "A tool that fails raises an error; `require(\"perigee\").call(name, arguments)` returns "
        "nil, message, code instead. The script's arguments are `...` and "
        "`require(\"perigee\").args`. `require` finds the sys modules (sys.fs, sys.process, ...) "
        "and the lib/ files of every root, and before them the files beside the script. The script "
        "may use files "
        "in the current directory and in its own.",
    .options = options,
    .notes =
        "Options stand before FILE; everything behind it belongs to the script. The script's "
        "first result decides how it ends. An integer is the exit status. nil or false with "
        "a message prints the message on stderr, with exit status 1. A string or a table is "
        "printed, a table as JSON. An error prints a traceback, with exit status 1. Ctrl-C "
        "cancels the script (130), a second Ctrl-C kills it.\n"
        "\n"
        "With --watch the script runs in a process of its own. When it is saved, or a file "
        "beside it that it requires, that process is ended, with all that it started, and then "
        "the script begins again. One that failed or ended waits for the next save.",
    .run = run_command,
};
