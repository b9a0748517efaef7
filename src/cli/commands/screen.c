/* perigee image and perigee list: pictures and lists as scripts around Peekaboo know them. Here
 * the command line is taken apart; lua/lib/screen/command.lua does the rest and prints it.
 *
 * With --json-output stdout is one JSON object, whatever happens: what ends before Lua has
 * printed it (a wrong option, no engine, Ctrl-C) is told by an object from here. */
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/args.h"
#include "cli/interrupt.h"
#include "cli/nearest.h"
#include "cli/output.h"
#include "cli/running.h"
#include "cli/terminal.h"
#include "json/writer.h"

enum { WORDS_MAX = 64, OPTIONS_MAX = 16 };

/* Each takes a value. */
static const char *const image_options[] = {
    "--app",          "--path",   "--mode",          "--window-title",
    "--window-index", "--format", "--capture-focus", NULL,
};
static const char *const list_options[] = { "--app", "--include-details", NULL };

struct screen_command {
    struct args args;
    const char *name;                /* "image", "list" */
    const char *const *known;        /* its options */
    const char *values[OPTIONS_MAX]; /* by the place in known */
    const char *words[WORDS_MAX];
    int word_count;
    bool json, answered;
    struct buf said; /* messages, in case an object has to hold them */
};

/* --- the command line ----------------------------------------------------------------- */

/* Before anything can go wrong. */
static bool wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json-output") == 0)
            return true;
    return false;
}

static int unknown_option(const struct screen_command *self, const char *option)
{
    struct nearest nearest = { .count = 0 };
    char *typed = mem_strndup(option, strcspn(option, "="));

    nearest_add(&nearest, typed, "--json-output");
    for (size_t i = 0; self->known[i]; i++)
        nearest_add(&nearest, typed, self->known[i]);
    usage_error(self->name, "unknown option %s%s", typed, nearest_text(&nearest, "; ", ""));
    free(typed);
    return EXIT_USAGE;
}

static int take_option(struct screen_command *self, const char *option)
{
    if (strcmp(option, "--json-output") == 0)
        return EXIT_OK;
    for (size_t i = 0; self->known[i]; i++) {
        if (!option_is(option, self->known[i]))
            continue;
        self->values[i] = args_value(&self->args, option);
        return self->values[i] ? EXIT_OK : EXIT_USAGE;
    }
    return unknown_option(self, option);
}

static int parse(struct screen_command *self, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&self->args, argc, argv);
    while (args_next(&self->args, &option, &value, &bad)) {
        if (option) {
            if (take_option(self, option) != EXIT_OK)
                return EXIT_USAGE;
        } else if (self->word_count == WORDS_MAX) {
            return usage_error(self->name, "too many arguments");
        } else {
            self->words[self->word_count++] = value;
        }
    }
    return bad ? EXIT_USAGE : EXIT_OK;
}

/* --- into Lua and back ------------------------------------------------------------------- */

static void set_flag(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

/* What screen.Command names. */
static void push_spec(const struct screen_command *self, lua_State *L)
{
    lua_createtable(L, 0, 6); /* spec */
    lua_pushstring(L, self->name);
    lua_setfield(L, -2, "command");
    lua_createtable(L, 0, 8); /* spec, options */
    for (size_t i = 0; self->known[i]; i++) {
        lua_pushstring(L, self->values[i]);
        lua_setfield(L, -2, self->known[i] + 2);
    }
    lua_setfield(L, -2, "options");
    lua_createtable(L, self->word_count, 0); /* spec, words */
    for (int i = 0; i < self->word_count; i++) {
        lua_pushstring(L, self->words[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "words");
    set_flag(L, "json", self->json);
    set_flag(L, "colour", terminal_colours(stdout));
    if (terminal_is(stdout)) {
        lua_pushinteger(L, terminal_width(stdout, 0));
        lua_setfield(L, -2, "width");
    }
}

/* status, text for stderr or nil */
static int read_answer(void *arg, struct task *task, int nresults)
{
    struct screen_command *self = arg;
    lua_State *L = task_lua(task);
    int first = lua_gettop(L) - nresults + 1, status = EXIT_FAILED;

    self->answered = true;
    if (nresults >= 1 && lua_isinteger(L, first))
        status = (int)lua_tointeger(L, first);
    if (nresults >= 2 && lua_type(L, first + 1) == LUA_TSTRING) {
        output_flush();
        output_message(self->name, "%s", lua_tostring(L, first + 1));
    }
    if (status == EXIT_USAGE && !self->json)
        fprintf(stderr, "`perigee help %s` shows how it is used.\n", self->name);
    return status;
}

static int answer(struct screen_command *self)
{
    static const char text[] = "return require('screen.command').run(...)";
    struct script_spec spec = { .name = self->name, .text = text, .len = sizeof text - 1 };
    struct engine *engine = common_engine(&self->args.common, self->name, NULL, NULL);
    struct running running;
    int status;

    if (!engine)
        return EXIT_FAILED;
    running_init(&running, engine, self->name);
    push_spec(self, vm_lua(engine_vm(engine)));
    running.nargs = 1;
    running.results = read_answer;
    running.arg = self;
    status = running_run(&running, &spec);
    engine_free(engine);
    return status;
}

/* --- the object for what Lua could not tell ------------------------------------------------- */

static void print_failure(const struct screen_command *self, int status)
{
    const char *code = status == EXIT_USAGE ? "INVALID_ARGUMENT"
                       : interrupt_signal() ? "INTERRUPTED"
                                            : "INTERNAL_SWIFT_ERROR";
    const char *text = interrupt_signal() ? "interrupted" : "the command could not be run";
    struct buf out = { 0 };

    if (self->said.len)
        text = buf_text((struct buf *)&self->said);
    buf_lit(&out, "{\"success\":false,\"error\":{\"message\":");
    json_write_string(&out, text, strlen(text));
    buf_lit(&out, ",\"code\":");
    json_write_string(&out, code, strlen(code));
    buf_lit(&out, "},\"debug_logs\":[]}\n");
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
}

static int run_screen(struct screen_command *self, const struct command *command, int argc,
                      char **argv)
{
    int status;

    self->name = command->name;
    self->json = wants_json(argc, argv);
    output_keep(self->json ? &self->said : NULL);
    status = parse(self, argc, argv);
    if (status == EXIT_OK && self->args.common.help) {
        self->answered = true;
        status = command_help_text(command);
    } else if (status == EXIT_OK) {
        if (self->json && !self->args.common.verbose)
            log_set_level(LOG_OFF); /* whoever reads the object wants no lines beside it */
        else
            common_log_level(&self->args.common);
        status = answer(self);
    }
    if (self->json && !self->answered)
        print_failure(self, status);
    output_keep(NULL);
    buf_free(&self->said);
    args_free(&self->args);
    return output_finish(self->name, status);
}

static int run_image(int argc, char **argv)
{
    struct screen_command self = { .known = image_options };

    return run_screen(&self, &command_image, argc, argv);
}

static int run_list(int argc, char **argv)
{
    struct screen_command self = { .known = list_options };

    return run_screen(&self, &command_list, argc, argv);
}

const struct command command_image = {
    "image", "take pictures of displays, a window, or an application's windows",
    "usage: perigee image [options]\n"
    "\n"
    "Takes a picture of every display, or with --app of that application's front window, saves\n"
    "it, and prints the paths.\n"
    "\n"
    "  --app NAME             the application: a name, an id, a part of the name, also with a\n"
    "                         slip, or a process id (PID:42); `perigee list apps` shows them\n"
    "  --path PATH            a file (.png, .jpg), a folder (that is there, or ends in /), or\n"
    "                         the beginning of file names; several pictures get _display0_main,\n"
    "                         _window0_TITLE, ... before the ending. Folders are made; only\n"
    "                         pictures are replaced. Default: the folder PERIGEE_SAVE_PATH or\n"
    "                         PEEKABOO_DEFAULT_SAVE_PATH, else a temporary file that is removed\n"
    "                         when an hour has passed\n"
    "  --mode MODE            screen: each display; window: one window of --app; multi: all its\n"
    "                         windows on the screen. Default: window with --app, else screen\n"
    "  --window-title TEXT    the window with this title, or with this in its title\n"
    "  --window-index N       the window with this index in `perigee list windows`; 0: front-most\n"
    "  --format png|jpg       default: what --path ends in, else png\n"
    "  --capture-focus WHAT   background: take it as it is (default); foreground: bring the\n"
    "                         application to the front first\n"
    "  --json-output          print one JSON object: success, data, messages, debug_logs, error\n"
    "  --root DIR, --no-user-root   as for `perigee serve`\n"
    "  -v, --verbose          tell more on stderr\n"
    "\n"
    "Exit status: 0, 1 when there is no picture, 2 when the command line is not right.\n",
    .run = run_image
};

const struct command command_list = {
    "list", "list running applications, or the windows of one",
    "usage: perigee list apps [options]\n"
    "       perigee list windows --app NAME [--include-details A,B] [options]\n"
    "\n"
    "Lists the running applications that have windows, or an application's windows on the\n"
    "screen, front-most first.\n"
    "\n"
    "  --app NAME             the application, as for `perigee image`\n"
    "  --include-details A,B  ids: the windows' numbers; bounds: where they are, in points;\n"
    "                         off_screen: also minimized and hidden windows\n"
    "  --json-output          print one JSON object: success, data, messages, debug_logs, error\n"
    "  --root DIR, --no-user-root   as for `perigee serve`\n"
    "  -v, --verbose          tell more on stderr\n"
    "\n"
    "Exit status: 0, 1 when it cannot be told, 2 when the command line is not right.\n",
    .run = run_list
};
