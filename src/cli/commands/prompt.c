/* Calls lua/lib/cli/prompt.lua, and keeps the globals of what is typed. */
#include "cli/commands/prompt.h"

#include <lauxlib.h>
#include <stdio.h>

#include "base/log.h"
#include "cli/terminal.h"
#include "script/tools_table.h"
#include "sys/shared/script.h"
#include "sys/shared/tool_call.h"

enum { HELPER_MS = 1000 };

static lua_State *state_of(const struct prompt *prompt)
{
    return vm_lua(engine_vm(prompt->engine));
}

/* --- life ------------------------------------------------------------------------- */

/* (env, prompt): the globals get `tools` and `perigee`. */
static int keep_globals(lua_State *L)
{
    struct prompt *prompt = lua_touserdata(L, 2);

    lua_settop(L, 1);
    tools_push(L, true); /* env, tools */
    lua_setfield(L, -2, "tools");
    vm_push_module(L, "perigee"); /* env, perigee */
    lua_setfield(L, -2, "perigee");
    prompt->env = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

/* (f): the name of the tool that this function of `tools` calls, or nil */
static int tool_of(lua_State *L)
{
    lua_pushstring(L, lua_isnone(L, 1) ? NULL : tools_table_name(L, 1));
    return 1;
}

/* (module, prompt): the globals get what the module adds */
static int keep_module(lua_State *L)
{
    struct prompt *prompt = lua_touserdata(L, 2);

    lua_settop(L, 1);
    lua_getfield(L, 1, "equip");
    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->env);
    lua_pushcfunction(L, tool_of);
    lua_call(L, 2, 0);
    prompt->module = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

/* keep(what the text returns, prompt) */
static bool run_and_keep(struct prompt *prompt, struct sandbox *sandbox, const char *name,
                         const char *text, lua_CFunction keep, struct error *err)
{
    lua_State *L = state_of(prompt);

    if (!sandbox_run(sandbox, name, text, strlen(text), SANDBOX_LOAD_MS, err))
        return false;
    lua_pushcfunction(L, keep);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, prompt);
    return vm_call(engine_vm(prompt->engine), 2, 0, 0, err);
}

bool prompt_open(struct prompt *prompt, struct engine *engine, struct error *err)
{
    prompt->engine = engine;
    prompt->sandbox = script_sandbox(engine_registry(engine), true);
    prompt->helpers = script_sandbox(engine_registry(engine), false);
    return run_and_keep(prompt, prompt->sandbox, "repl", "return _G", keep_globals, err) &&
           run_and_keep(prompt, prompt->helpers, "prompt", "return require('cli.prompt')",
                        keep_module, err);
}

void prompt_close(struct prompt *prompt)
{
    sandbox_free(prompt->sandbox);
    sandbox_free(prompt->helpers);
}

/* --- what is typed ------------------------------------------------------------------ */

bool prompt_unfinished(const struct error *err)
{
    static const char end[] = "<eof>";
    size_t len = strlen(err->text);

    return len >= sizeof end - 1 && strcmp(err->text + len - (sizeof end - 1), end) == 0;
}

/* Of the two errors the one counts that more text may cure. */
bool prompt_load(struct prompt *prompt, struct buf *typed, struct error *err)
{
    const char *text = buf_text(typed);
    size_t len = typed->len;
    struct buf expression = { 0 };
    struct error other;
    bool ok;

    if (*text == '=') {
        text++;
        len--;
    }
    buf_adds(&expression, "return ");
    buf_add(&expression, text, len);
    ok = sandbox_load(prompt->sandbox, "repl", expression.data, expression.len, &other) ||
         sandbox_load(prompt->sandbox, "repl", text, len, err);
    if (!ok && prompt_unfinished(&other))
        *err = other;
    buf_free(&expression);
    return ok;
}

/* --- helpers in Lua -------------------------------------------------------------------- */

/* Pushes prompt.NAME and env. */
static void push_helper(lua_State *L, const struct prompt *prompt, const char *name)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->module); /* module */
    lua_getfield(L, -1, name);                         /* module, f */
    lua_remove(L, -2);                                 /* f */
    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->env);    /* f, env */
}

struct completion {
    const struct prompt *prompt;
    const struct buf *before;
    struct str line;
    struct buf *out;
    size_t replace;
};

/* (completion): choices, replace = prompt.complete(env, text) */
static int complete(lua_State *L)
{
    struct completion *completion = lua_touserdata(L, 1);
    const struct buf *before = completion->before;

    push_helper(L, completion->prompt, "complete");
    lua_pushlstring(L, before->len ? before->data : "", before->len);
    lua_pushlstring(L, completion->line.ptr, completion->line.len);
    lua_concat(L, 2);
    lua_call(L, 2, 2); /* choices, replace */
    completion->replace = (size_t)lua_tointeger(L, -1);
    for (lua_Integer i = 1; lua_rawgeti(L, -2, i) == LUA_TSTRING; i++) {
        buf_adds(completion->out, lua_tostring(L, -1));
        buf_addc(completion->out, '\0');
        lua_pop(L, 1);
    }
    return 0;
}

void prompt_complete(struct prompt *prompt, const struct buf *before, struct str line,
                     struct buf *out, size_t *replace)
{
    struct completion completion = { prompt, before, line, out, 0 };
    lua_State *L = state_of(prompt);
    struct error err;

    lua_pushcfunction(L, complete);
    lua_pushlightuserdata(L, &completion);
    if (!vm_call(engine_vm(prompt->engine), 1, 0, HELPER_MS, &err))
        log_debug("completing: %s", err.text);
    *replace = completion.replace;
    if (*replace > line.len)
        out->len = *replace = 0;
}

/* (prompt, values...): print(prompt.show(env, colours, width, values...)) */
static int show(lua_State *L)
{
    const struct prompt *prompt = lua_touserdata(L, 1);
    int n = lua_gettop(L) - 1;

    lua_remove(L, 1);
    luaL_checkstack(L, 8, "too many values");
    push_helper(L, prompt, "show");
    lua_pushboolean(L, terminal_colours(stdout));
    lua_pushinteger(L, terminal_width(stdout, 100));
    lua_rotate(L, 1, 4); /* f, env, colours, width, values... */
    lua_call(L, n + 3, 1);
    return 1;
}

bool prompt_show(struct prompt *prompt, struct task *task, int nresults, struct error *err)
{
    lua_State *L = state_of(prompt), *from = task_lua(task);
    size_t len;
    const char *text;

    if (nresults == 0)
        return true;
    if (!lua_checkstack(L, nresults + 8))
        return error_set(err, "too_large", "%d values are too many to show", nresults);
    lua_pushcfunction(L, show);
    lua_pushlightuserdata(L, prompt);
    lua_xmove(from, L, nresults);
    if (!vm_call(engine_vm(prompt->engine), nresults + 1, 1, HELPER_MS, err))
        return false;
    text = lua_tolstring(L, -1, &len);
    terminal_write_own(stdout, text, len);
    putchar('\n');
    lua_pop(L, 1);
    return true;
}
