/* sys.console.prompt -- Lua that a person types, with globals that stay from one text to the next.
 *
 * Each text runs in a task of its own below the one that asks, so that it may wait, be stopped, and
 * have limits. What it prints can be handed to a function, in a third task, as fast as that takes
 * it: lines that come meanwhile are kept, up to a limit. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "script/bind.h"
#include "script/sandbox/base.h"
#include "script/task.h"
#include "script/tools_table.h"
#include "script/vm.h"
#include "sys/console/pieces.h"
#include "sys/shared/script.h"

#define PROMPT "sys.console.Prompt"
#define RUN    "sys.console.PromptRun"

enum { PRINTED_BYTES = 256 * 1024 }; /* lines that wait to be handed on */

enum { AT_PROMPT = 1, AT_TEXT, AT_OPTIONS, AT_PRINTED, AT_RUN };

struct prompt {
    struct sandbox *sandbox;
    int env; /* reference: its globals */
};

struct run {
    struct tool_caller caller; /* first: see tool_call.h */
    struct op op;
    struct vm *vm;
    lua_State *L;         /* Lua state of the waiting task */
    struct task *child;   /* NULL: it has ended */
    struct task *telling; /* hands on what was printed; NULL: no such task runs */
    bool waits;           /* the task is parked */
    bool telling_failed;  /* nothing more is handed on, for the reason `why` */
    struct error why;
    struct buf printed;
    size_t lost; /* number of lines that were dropped */
    enum task_end end;
    int nresults;
    struct error err;
    char *traceback; /* traceback of a failure; owned */
};

static struct prompt *check_prompt(lua_State *L)
{
    return luaL_checkudata(L, 1, PROMPT);
}

static int prompt_gc(lua_State *L)
{
    struct prompt *prompt = check_prompt(L);

    sandbox_free(prompt->sandbox);
    luaL_unref(L, LUA_REGISTRYINDEX, prompt->env);
    *prompt = (struct prompt){ .env = LUA_NOREF };
    return 0;
}

static int prompt_run_gc(lua_State *L)
{
    struct run *run = lua_touserdata(L, 1);

    buf_free(&run->printed);
    free(run->traceback);
    run->traceback = NULL;
    return 0;
}

/* --- printed text --------------------------------------------------------------------------- */

static void run_tell(struct run *run);

static void wake_if_over(struct run *run)
{
    if (run->waits && !run->child && !run->telling)
        task_wake(&run->op, run->nresults);
}

static void on_telling_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct run *run = arg;

    (void)nresults;
    run->telling = NULL;
    if (end == TASK_FAILED)
        task_error(task, &run->why, NULL);
    else if (end != TASK_DONE)
        task_end_error(task, end, &run->why);
    run->telling_failed |= end != TASK_DONE;
    if (run->printed.len)
        run_tell(run);
    wake_if_over(run);
}

/* (run) -> printed, text */
static int push_printed(lua_State *L)
{
    struct run *run = lua_touserdata(L, 1);

    lua_pushvalue(run->L, AT_PRINTED);
    lua_xmove(run->L, L, 1);
    if (run->lost)
        buf_addf(&run->printed, "... %zu lines were dropped\n", run->lost);
    lua_pushlstring(L, run->printed.data, run->printed.len - 1); /* without the last line end */
    run->printed.len = run->lost = 0;
    return 2;
}

/* Hands on the text printed so far, unless a task does so already. */
static void run_tell(struct run *run)
{
    struct task_spec spec = {
        .name = "printed", .parent = run->op.task, .ended = on_telling_ended, .arg = run
    };
    lua_State *main = vm_lua(run->vm);

    if (run->telling || run->telling_failed) {
        run->printed.len = run->telling_failed ? 0 : run->printed.len;
        return;
    }
    if (vm_push(run->vm, main, push_printed, run, 2, &run->why))
        run->telling = task_new(main, 1, &spec, &run->why);
    if (run->telling)
        task_go_later(run->telling);
    else
        run->telling_failed = true;
}

static void on_prompt_print(void *context, const char *text, size_t len)
{
    struct run *run = context;

    if (run->printed.len + len >= PRINTED_BYTES) {
        run->lost++;
        return;
    }
    buf_add(&run->printed, text, len);
    buf_addc(&run->printed, '\n');
    run_tell(run);
}

/* --- running -------------------------------------------------------------------------------- */

static void prompt_run_cancel(struct op *op)
{
    struct run *run = container_of(op, struct run, op);
    struct task *child = run->child, *telling = run->telling;

    run->waits = false;
    run->telling_failed = true;
    run->child = NULL;
    if (child)
        task_cancel(child);
    run->telling = NULL;
    if (telling)
        task_cancel(telling);
}

/* Called while the waiting task is parked or about to be, so that the results pushed onto its stack
 * stay there. */
static void on_prompt_run_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct run *run = arg;
    lua_State *from = task_lua(task);

    if (end != TASK_DONE)
        task_pass_place(task, run->op.task);
    if (!run->child) /* the child was cancelled with the task that waits */
        return;
    run->child = NULL;
    run->end = end;
    if (end == TASK_FAILED) {
        task_error(task, &run->err, &run->traceback);
    } else if (end != TASK_DONE) {
        task_end_error(task, end, &run->err);
    } else if (lua_checkstack(run->L, nresults + 8)) {
        lua_xmove(from, run->L, nresults);
        run->nresults = nresults;
    } else {
        run->end = TASK_FAILED;
        error_set(&run->err, "too_large", "%d values are too many to show", nresults);
    }
    wake_if_over(run);
}

/* Returns true, values... or false, kind, message. */
static int finish_line(lua_State *L, int status, lua_KContext context)
{
    struct run *run = lua_touserdata(L, AT_RUN);

    (void)status;
    (void)context;
    if (run->end == TASK_DONE && run->telling_failed) {
        lua_settop(L, AT_RUN);
        lua_pushboolean(L, 0);
        lua_pushliteral(L, "failed");
        lua_pushfstring(L, "what was printed could not be handed on: %s", run->why.text);
        return 3;
    }
    if (run->end == TASK_DONE) {
        lua_pushboolean(L, 1);
        lua_insert(L, AT_RUN + 1);
        return lua_gettop(L) - AT_RUN;
    }
    lua_settop(L, AT_RUN);
    lua_pushboolean(L, 0);
    lua_pushstring(L, run->end == TASK_FAILED ? "failed" : "stopped");
    lua_pushstring(L, run->traceback ? run->traceback : run->err.text);
    return 3;
}

/* Loads the text as an expression, otherwise as statements. If neither compiles, gives the error
 * that more text may cure. */
static bool load_chunk(const struct prompt *prompt, struct str text, struct error *err)
{
    struct buf expression = { 0 };
    struct error other;
    bool ok;

    if (text.len && *text.ptr == '=') {
        text.ptr++;
        text.len--;
    }
    buf_adds(&expression, "return ");
    buf_add(&expression, text.ptr, text.len);
    ok = sandbox_load(prompt->sandbox, "repl", expression.data, expression.len, &other) ||
         sandbox_load(prompt->sandbox, "repl", text.ptr, text.len, err);
    if (!ok && sandbox_unfinished(&other))
        *err = other;
    buf_free(&expression);
    return ok;
}

static struct run *push_prompt_run(lua_State *L, struct task *task)
{
    struct run *run = lua_newuserdatauv(L, sizeof *run, 0);

    *run =
        (struct run){ .op = { task, prompt_run_cancel, OP_TASKS, NULL }, .vm = vm_of(L), .L = L };
    luaL_setmetatable(L, RUN);
    return run;
}

/* prompt:run(text [, options]) */
static int prompt_run(lua_State *L)
{
    static const char *const names[] = { "memory", "printed", "timeout", NULL };
    struct prompt *prompt = check_prompt(L);
    struct task_spec spec = { .name = "repl", .ended = on_prompt_run_ended };
    struct str text;
    struct run *run;
    bool prints;

    text.ptr = luaL_checklstring(L, AT_TEXT, &text.len);
    luaL_argcheck(L, prompt->sandbox, 1, "it was closed");
    spec.parent = task_here(L);
    lua_settop(L, AT_OPTIONS);
    if (lua_isnil(L, AT_OPTIONS)) {
        lua_newtable(L);
        lua_replace(L, AT_OPTIONS);
    }
    bind_check_fields(L, AT_OPTIONS, names);
    spec.memory = (size_t)bind_number(L, AT_OPTIONS, "memory", 0, 0, 1 << 30);
    spec.timeout_ms = (uint64_t)ceil(1000 * bind_number(L, AT_OPTIONS, "timeout", 0, 0, 86400));
    prints = lua_getfield(L, AT_OPTIONS, "printed") == LUA_TFUNCTION; /* printed */
    run = push_prompt_run(L, spec.parent);                            /* printed, run */
    luaL_checkstack(L, 16, "no room");
    if (!load_chunk(prompt, text, &run->err)) {
        lua_pushboolean(L, 0);
        lua_pushstring(L, sandbox_unfinished(&run->err)          ? "unfinished"
                          : strcmp(run->err.code, "syntax") == 0 ? "syntax"
                                                                 : "failed");
        lua_pushstring(L, run->err.text);
        return 3;
    }
    spec.arg = run;
    if (prints) {
        spec.print = on_prompt_print;
        spec.context = run;
    }
    run->child = task_new(vm_lua(run->vm), 0, &spec, &run->err);
    if (!run->child)
        return luaL_error(L, "%s", run->err.text);
    task_go(run->child); /* queued: this task is running */
    run->waits = true;
    return task_park_then(L, &run->op, 0, finish_line);
}

/* prompt:globals() */
static int prompt_globals(lua_State *L)
{
    const struct prompt *prompt = check_prompt(L);

    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->env);
    return 1;
}

/* sys.console.tool_of(f) -> the name of the tool that this function of `tools` calls, or nil */
int console_tool_of(lua_State *L)
{
    lua_pushstring(L, lua_isnone(L, 1) ? NULL : tools_table_name(L, 1));
    return 1;
}

/* Called with (env): puts into the globals `tools` and `perigee`, a copy of what others get. */
static void give_globals(lua_State *L)
{
    tools_push(L, true);
    lua_setfield(L, -2, "tools");
    vm_push_module(L, "perigee"); /* env, perigee */
    lua_newtable(L);
    sandbox_copy_table(L, lua_gettop(L) - 1, lua_gettop(L));
    lua_setfield(L, -3, "perigee");
    lua_pop(L, 1); /* env */
}

/* sys.console.prompt() */
int console_prompt(lua_State *L)
{
    static const char source[] = "return _G";
    struct prompt *prompt;
    struct error err;

    lua_settop(L, 0);
    prompt = lua_newuserdatauv(L, sizeof *prompt, 0); /* prompt */
    *prompt = (struct prompt){ .env = LUA_NOREF };
    luaL_setmetatable(L, PROMPT);
    prompt->sandbox = script_sandbox(sys_registry(L), true);
    if (!sandbox_run(prompt->sandbox, "repl", source, sizeof source - 1, SANDBOX_LOAD_MS, &err))
        return luaL_error(L, "%s", err.text);
    if (vm_lua(vm_of(L)) != L)
        lua_xmove(vm_lua(vm_of(L)), L, 1); /* prompt, env */
    give_globals(L);
    prompt->env = luaL_ref(L, LUA_REGISTRYINDEX);
    return 1;
}

void console_prompt_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", prompt_gc }, { NULL, NULL } };
    static const luaL_Reg run_meta[] = { { "__gc", prompt_run_gc }, { NULL, NULL } };
    static const luaL_Reg prompt_methods[] = { { "globals", prompt_globals },
                                               { "run", prompt_run },
                                               { NULL, NULL } };

    bind_metatable(L, PROMPT, meta, prompt_methods);
    bind_metatable(L, RUN, run_meta, NULL);
}
