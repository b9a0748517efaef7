/* Calls lua/lib/cli/prompt.lua, and keeps the globals of what is typed. */
#include "cli/commands/prompt.h"

#include <lauxlib.h>
#include <stdio.h>

#include "base/log.h"
#include "cli/terminal.h"
#include "sys/shared/script.h"
#include "sys/shared/tool_call.h"

enum { HELPER_MS = 1000 };

static lua_State *state_of(const struct prompt *prompt)
{
    return vm_lua(engine_vm(prompt->engine));
}

/* --- life ------------------------------------------------------------------------- */

/* The globals, with `tools` and `perigee`. */
static bool make_globals(struct prompt *prompt, struct error *err)
{
    static const char text[] = "return _G";
    lua_State *L = state_of(prompt);

    if (!sandbox_run(prompt->sandbox, "repl", text, sizeof text - 1, err))
        return false; /* env */
    tools_push(L);    /* env, tools */
    lua_setfield(L, -2, "tools");
    vm_push_module(L, "perigee"); /* env, perigee */
    lua_setfield(L, -2, "perigee");
    prompt->env = luaL_ref(L, LUA_REGISTRYINDEX);
    return true;
}

bool prompt_open(struct prompt *prompt, struct engine *engine, struct error *err)
{
    static const char text[] = "return require('cli.prompt')";

    prompt->engine = engine;
    prompt->sandbox = script_sandbox(engine_registry(engine), true);
    prompt->helpers = script_sandbox(engine_registry(engine), false);
    if (!make_globals(prompt, err) ||
        !sandbox_run(prompt->helpers, "prompt", text, sizeof text - 1, err))
        return false;
    prompt->module = luaL_ref(state_of(prompt), LUA_REGISTRYINDEX);
    return true;
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

/* Pushes prompt.NAME. */
static void push_helper(struct prompt *prompt, const char *name)
{
    lua_State *L = state_of(prompt);

    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->module); /* module */
    lua_getfield(L, -1, name);                         /* module, f */
    lua_remove(L, -2);                                 /* f */
}

/* choices, replace = prompt.complete(env, text) */
void prompt_complete(struct prompt *prompt, const struct buf *before, struct str line,
                     struct buf *out, size_t *replace)
{
    lua_State *L = state_of(prompt);
    struct error err;

    push_helper(prompt, "complete");
    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->env);
    lua_pushlstring(L, before->len ? before->data : "", before->len);
    lua_pushlstring(L, line.ptr, line.len);
    lua_concat(L, 2);
    if (!vm_call(engine_vm(prompt->engine), 2, 2, HELPER_MS, &err)) {
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
    if (*replace > line.len)
        out->len = *replace = 0;
}

/* print(prompt.show(env, colours, width, values...)) */
bool prompt_show(struct prompt *prompt, struct task *task, int nresults, struct error *err)
{
    lua_State *L = state_of(prompt), *from = task_lua(task);
    size_t len;
    const char *text;

    if (nresults == 0)
        return true;
    if (!lua_checkstack(L, nresults + 8))
        return error_set(err, "too_large", "%d values are too many to show", nresults);
    push_helper(prompt, "show");
    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->env);
    lua_pushboolean(L, terminal_colours(stdout));
    lua_pushinteger(L, terminal_width(stdout, 100));
    lua_xmove(from, L, nresults);
    if (!vm_call(engine_vm(prompt->engine), nresults + 3, 1, HELPER_MS, err))
        return false;
    text = lua_tolstring(L, -1, &len);
    fwrite(text, 1, len, stdout);
    putchar('\n');
    lua_pop(L, 1);
    return true;
}
