/* perigee repl -- a prompt. Each input is a task, so that it can wait, and Ctrl-C
 * can end it; while the prompt waits the loop turns and files are reloaded. What
 * Tab offers and how values look is lua/lib/cli/prompt.lua. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "engine/lua.h"
#include "engine/paths.h"
#include "engine/script.h"
#include "io/file.h"

enum { HELPER_MS = 1000 };

struct repl {
    struct args args;
    struct engine *engine;
    struct sandbox *sandbox; /* of what is typed: its globals stay */
    struct sandbox *helpers;
    int prompt; /* registry ref: what lib/cli/prompt.lua returned */
    int env;    /* registry ref: the globals */
    struct input *input;
    struct buf text;   /* of an input of several lines */
    struct task *task; /* the running one; NULL: none */
    bool over;
    int status;
};

static lua_State *state_of(const struct repl *repl)
{
    return vm_lua(engine_vm(repl->engine));
}

static void ask(struct repl *repl)
{
    output_flush();
    input_ask(repl->input, repl->text.len ? ">> " : "> ");
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
    if (!input_typed(repl->input))
        repl->status = EXIT_FAILED;
}

/* --- helpers in Lua ----------------------------------------------------------------- */

/* Pushes prompt.NAME. */
static void push_helper(struct repl *repl, const char *name)
{
    lua_State *L = state_of(repl);

    lua_rawgeti(L, LUA_REGISTRYINDEX, repl->prompt); /* prompt */
    lua_getfield(L, -1, name);                       /* prompt, f */
    lua_remove(L, -2);                               /* f */
}

/* choices, replace = prompt.complete(env, line) */
static void complete(void *arg, const char *line, size_t len, struct buf *out, size_t *replace)
{
    struct repl *repl = arg;
    lua_State *L = state_of(repl);
    struct error err;

    push_helper(repl, "complete");
    lua_rawgeti(L, LUA_REGISTRYINDEX, repl->env);
    lua_pushlstring(L, repl->text.len ? repl->text.data : "", repl->text.len);
    lua_pushlstring(L, line, len);
    lua_concat(L, 2);
    if (!vm_call(engine_vm(repl->engine), 2, 2, HELPER_MS, &err)) {
        log_debug("completing: %s", err.text);
        return;
    } /* choices, replace */
    *replace = (size_t)lua_tointeger(L, -1);
    for (lua_Integer i = 1; lua_rawgeti(L, -2, i) == LUA_TSTRING; i++) {
        buf_adds(out, lua_tostring(L, -1));
        buf_addc(out, '\0');
        lua_pop(L, 1);
    }
    lua_pop(L, 3);
    if (*replace > len)
        out->len = *replace = 0;
}

/* print(prompt.show(colours, values...)); _ = the first */
static void show_results(struct repl *repl, struct task *task, int nresults)
{
    lua_State *L = state_of(repl), *from = task_lua(task);
    struct error err;
    size_t len;
    const char *text;

    if (nresults == 0 || !lua_checkstack(L, nresults + 8))
        return;
    push_helper(repl, "show");
    lua_rawgeti(L, LUA_REGISTRYINDEX, repl->env);
    lua_pushboolean(L, terminal_colours(stdout));
    lua_pushinteger(L, terminal_width(stdout, 100));
    lua_xmove(from, L, nresults);
    if (!vm_call(engine_vm(repl->engine), nresults + 3, 1, HELPER_MS, &err)) {
        complain(repl, err.text);
        return;
    }
    text = lua_tolstring(L, -1, &len);
    fwrite(text, 1, len, stdout);
    putchar('\n');
    lua_pop(L, 1);
}

/* --- running what was typed ------------------------------------------------------------- */

static void on_print(void *context, const char *text, size_t len)
{
    (void)context;
    fwrite(text, 1, len, stdout);
    putchar('\n');
}

static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct repl *repl = arg;
    char *traceback = NULL;
    struct error err;

    repl->task = NULL;
    if (end == TASK_DONE) {
        show_results(repl, task, nresults);
    } else if (end == TASK_FAILED) {
        task_error(task, &err, &traceback);
        complain(repl, traceback ? traceback : err.text);
        free(traceback);
    } else {
        task_end_error(task, end, &err);
        if (!repl->over && input_typed(repl->input))
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

    repl->task = task_new(state_of(repl), 0, &spec);
    task_go(repl->task);
}

/* Does it fail because it is not finished? */
static bool unfinished(const struct error *err)
{
    static const char end[] = "<eof>";
    size_t len = strlen(err->text);

    return len >= sizeof end - 1 && strcmp(err->text + len - (sizeof end - 1), end) == 0;
}

/* As an expression, so that its value shows; else as statements. Of the two errors the one
 * counts that more text may cure. */
static bool load(struct repl *repl, struct error *err)
{
    const char *text = buf_text(&repl->text);
    size_t len = repl->text.len;
    struct buf expression = { 0 };
    struct error other;
    bool ok;

    if (*text == '=') {
        text++;
        len--;
    }
    buf_adds(&expression, "return ");
    buf_add(&expression, text, len);
    ok = sandbox_load(repl->sandbox, "repl", expression.data, expression.len, &other) ||
         sandbox_load(repl->sandbox, "repl", text, len, err);
    if (!ok && unfinished(&other))
        *err = other;
    buf_free(&expression);
    return ok;
}

static bool is_blank(const struct buf *text)
{
    return strspn(text->len ? text->data : "", " \t\r\n") >= text->len;
}

static void on_line(void *arg, const char *text, size_t len)
{
    struct repl *repl = arg;
    struct error err;

    input_remember(repl->input, text);
    if (repl->text.len)
        buf_addc(&repl->text, '\n');
    buf_add(&repl->text, text, len);
    buf_text(&repl->text);
    if (is_blank(&repl->text)) {
        repl->text.len = 0;
        ask(repl);
    } else if (load(repl, &err)) {
        repl->text.len = 0;
        run_chunk(repl);
    } else if (unfinished(&err)) {
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

    if (input_typed(repl->input))
        putchar('\n');
    else if (repl->text.len && !load(repl, &err))
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
    if (!input_typed(repl->input)) {
        leave(repl, EXIT_INTERRUPTED);
        return;
    }
    input_drop(repl->input);
    repl->text.len = 0;
    puts("^C");
    ask(repl);
}

/* --- life ----------------------------------------------------------------------------------- */

/* The globals, with `tools` and `perigee`. */
static bool make_globals(struct repl *repl, struct error *err)
{
    static const char globals[] = "return _G";
    static const char prompt[] = "return require('cli.prompt')";
    lua_State *L = state_of(repl);

    repl->sandbox = script_sandbox(repl->engine, false, true);
    repl->helpers = script_sandbox(repl->engine, false, false);
    if (!sandbox_run(repl->sandbox, "repl", globals, sizeof globals - 1, err))
        return false; /* env */
    lua_push_tools(L);
    lua_setfield(L, -2, "tools");
    vm_push_module(L, "perigee");
    lua_setfield(L, -2, "perigee");
    repl->env = luaL_ref(L, LUA_REGISTRYINDEX);
    if (!sandbox_run(repl->helpers, "prompt", prompt, sizeof prompt - 1, err))
        return false;
    repl->prompt = luaL_ref(L, LUA_REGISTRYINDEX);
    return true;
}

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
    struct input_spec spec = { .loop = engine_loop(repl->engine),
                               .history = history,
                               .complete = complete,
                               .line = on_line,
                               .end = on_end,
                               .arg = repl };
    struct error err;

    if (!make_globals(repl, &err)) {
        free(history);
        return report_error("repl", &err);
    }
    engine_watch(repl->engine);
    interrupt_start(engine_loop(repl->engine), on_interrupt, repl);
    repl->input = input_open(&spec);
    free(history);
    if (input_typed(repl->input) && terminal_is(stdout))
        puts("perigee " PERIGEE_VERSION ". tools.NAME{...} calls a tool, Tab completes, "
             "Ctrl-D leaves.");
    ask(repl);
    turn(repl);
    if (repl->task)
        task_cancel(repl->task);
    input_close(repl->input);
    interrupt_stop();
    return repl->status;
}

static int parse(struct repl *repl, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&repl->args, argc, argv);
    while (args_next(&repl->args, &option, &value, &bad))
        return value ? usage_error("repl", "it takes no argument ('%s')", value)
                     : usage_error("repl", "unknown option %s", option);
    return bad ? EXIT_USAGE : EXIT_OK;
}

static int run(int argc, char **argv)
{
    struct repl repl = { .prompt = LUA_NOREF, .env = LUA_NOREF };
    int status = parse(&repl, argc, argv);

    if (status == EXIT_OK && repl.args.common.help) {
        status = command_help_text(&command_repl);
    } else if (status == EXIT_OK) {
        common_log_level(&repl.args.common);
        common_grant_first(&repl.args.common, ".");
        repl.engine = common_engine(&repl.args.common, "repl", NULL, NULL);
        status = repl.engine ? converse(&repl) : EXIT_FAILED;
        sandbox_free(repl.sandbox);
        sandbox_free(repl.helpers);
        engine_free(repl.engine);
    }
    buf_free(&repl.text);
    args_free(&repl.args);
    return output_finish("repl", status);
}

const struct command command_repl = {
    "repl", "a prompt for Lua with every tool as a function",
    "usage: perigee repl [options]\n"
    "\n"
    "Reads Lua, runs it and shows its values. Every tool is a function of the table `tools`,\n"
    "called with its arguments by name; `perigee` is require(\"perigee\"), `_` the last value.\n"
    "Globals stay from one input to the next, locals do not. Input that is not finished goes on\n"
    "on the next line. Tab completes names, fields, tools and their parameters; Ctrl-C stops\n"
    "what runs or drops what was typed; Ctrl-D leaves. Files that change are reloaded while the\n"
    "prompt waits. Without a terminal lines are read and results written, without prompts;\n"
    "the exit status is 1 if one of them failed.\n"
    "\n"
    "  --grant DIR       let it read and write files there, besides the current folder\n"
    "  --root DIR, --toolset A,B, --no-user-root   as for `perigee serve`\n"
    "  -v, --verbose     more log lines;  -q, --quiet: errors only\n"
    "\n"
    "What is typed at a terminal is kept in the file `history` of the state folder\n"
    "(~/.local/state/perigee; macOS: ~/Library/Application Support/perigee), for you alone.\n",
    run
};
