/* perigee run -- a person's script, with every tool as a function. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/running.h"
#include "files/file.h"

enum { SCRIPT_BYTES = 16 * 1024 * 1024 };

struct command_line {
    struct args args;
    const char *file, *code;
    uint64_t timeout_ms;
    struct buf text;
};

static int parse(struct command_line *line, int argc, char **argv)
{
    const char *option, *value;
    bool bad = false;

    args_init(&line->args, argc, argv);
    while (!line->file && args_next(&line->args, &option, &value, &bad)) {
        if (value && line->code) {
            line->args.next--; /* the first of the script's own */
            break;
        }
        if (value) {
            line->file = value;
        } else if (strcmp(option, "-e") == 0) {
            if (!(line->code = args_value(&line->args, option)))
                return EXIT_USAGE;
        } else if (option_is(option, "--timeout")) {
            if (!args_seconds(&line->args, option, &line->timeout_ms))
                return EXIT_USAGE;
        } else {
            return usage_error("run", "unknown option %s", option);
        }
    }
    if (bad)
        return EXIT_USAGE;
    if (!line->file && !line->code && !line->args.common.help)
        return usage_error("run", "which script? Name a file, - for stdin, or give -e CODE");
    return EXIT_OK;
}

static bool read_script(struct command_line *line, struct error *err)
{
    if (line->code)
        buf_adds(&line->text, line->code);
    else if (strcmp(line->file, "-") == 0)
        return read_stdin(&line->text, SCRIPT_BYTES, "the script", err);
    else
        return file_read_all(line->file, SCRIPT_BYTES, &line->text, err);
    return true;
}

static const char *script_name(const struct command_line *line)
{
    if (line->code)
        return "(command line)";
    return strcmp(line->file, "-") == 0 ? "stdin" : line->file;
}

/* The script's own folder can be used, links resolved. */
static bool grant_folder(struct engine *engine, const char *file, struct error *err)
{
    char *path = realpath(file, NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    bool ok = true;

    if (slash) {
        slash[slash == path] = '\0';
        ok = fs_grants_add(engine_grants(engine), path, true, err);
    }
    free(path);
    return ok;
}

static int run_script(struct command_line *line, struct engine *engine)
{
    struct running running;
    struct script_spec spec = { .name = script_name(line), .timeout_ms = line->timeout_ms };
    struct error err;

    if (line->file && strcmp(line->file, "-") != 0 && !grant_folder(engine, line->file, &err))
        return report_error("run", &err);
    spec.text = line->text.len ? line->text.data : "";
    spec.len = line->text.len;
    running_init(&running, engine, "run");
    engine_listen(engine, "run");
    running_push_args(&running, spec.name, line->args.argc - line->args.next,
                      line->args.argv + line->args.next);
    return running_run(&running, &spec);
}

static int run(int argc, char **argv)
{
    struct command_line line = { .file = NULL };
    struct engine *engine = NULL;
    struct error err;
    int status = parse(&line, argc, argv);

    if (status == EXIT_OK && line.args.common.help) {
        status = command_help_text(&command_run);
    } else if (status == EXIT_OK) {
        common_log_level(&line.args.common);
        common_grant_first(&line.args.common, ".");
        if (!read_script(&line, &err))
            status = report_error("run", &err);
        else if (!(engine = common_engine(&line.args.common, "run", NULL, NULL)))
            status = EXIT_FAILED;
        else
            status = run_script(&line, engine);
        engine_free(engine);
    }
    buf_free(&line.text);
    args_free(&line.args);
    return output_finish("run", status);
}

const struct command command_run = {
    "run", "run a Lua script that can use every tool",
    "usage: perigee run [options] FILE [arguments]\n"
    "       perigee run [options] - [arguments]        the script comes from stdin\n"
    "       perigee run [options] -e CODE [arguments]\n"
    "\n"
    "In the script every tool is a function of the table `tools`, called with its arguments by\n"
    "name: `tools.draw_rectangle{x=1, y=2, width=30, height=40}`. A tool that fails raises;\n"
    "`require(\"perigee\").call(name, arguments)` gives nil, message, code instead. The arguments\n"
    "are `...` and `require(\"perigee\").args`. `require` finds the sys modules (sys.fs,\n"
    "sys.process, ...) and the lib/ files of every root, not files beside the script.\n"
    "\n"
    "  --timeout S       stop the script after so many seconds; default: never\n"
    "  --grant DIR       let it read and write files there too, besides the current folder\n"
    "                    and the folder of FILE (may be given again)\n"
    "  --root DIR, --toolset A,B, --no-user-root   as for `perigee serve`\n"
    "  -v, --verbose     more log lines;  -q, --quiet: errors only\n"
    "\n"
    "Options stand before FILE; what follows it belongs to the script. What the script returns\n"
    "decides how it ends: an integer is the exit status; nil or false with a message prints it\n"
    "on stderr, status 1; a text or a table is printed (a table as JSON). An error shows a\n"
    "traceback, status 1. Ctrl-C cancels it (130), a second Ctrl-C kills it.\n",
    run
};
