/* Calls lua/lib/repl. */
#include "cli/commands/prompt.h"

#include <lauxlib.h>

#include "base/buf.h"
#include "sys/shared/script.h"

static lua_State *prompt_lua(const struct prompt *prompt)
{
    return vm_lua(engine_vm(prompt->engine));
}

/* --- life ------------------------------------------------------------------------------------ */

/* (module, prompt) */
static int keep_prompt_module(lua_State *L)
{
    struct prompt *prompt = lua_touserdata(L, 2);

    lua_settop(L, 1);
    prompt->module = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

bool prompt_load(struct prompt *prompt, struct engine *engine, bool there, struct error *err)
{
    const char *text = there ? "return require 'repl.there'" : "return require 'repl.here'";
    lua_State *L = vm_lua(engine_vm(engine));

    prompt->engine = engine;
    prompt->module = prompt->object = LUA_NOREF;
    prompt->sandbox = script_sandbox(engine_registry(engine), true);
    prompt->helpers = script_sandbox(engine_registry(engine), false);
    if (!sandbox_run(prompt->helpers, "prompt", text, strlen(text), SANDBOX_LOAD_MS, err))
        return false;
    lua_pushcfunction(L, keep_prompt_module);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, prompt);
    return vm_call(engine_vm(engine), 2, 0, 0, err);
}

void prompt_close(struct prompt *prompt)
{
    sandbox_free(prompt->sandbox);
    sandbox_free(prompt->helpers);
}

/* --- calls ----------------------------------------------------------------------------------- */

struct job {
    const struct prompt *prompt;
    const char *function;
    const struct prompt_args *args;
    int pid;
    uint64_t timeout_ms;
    bool interactive;
};

/* (job) -> object.FUNCTION, text, width, color */
static int push_prompt_call(lua_State *L)
{
    const struct job *job = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, job->prompt->object);
    lua_getfield(L, -1, job->function);
    if (!job->args)
        return 1;
    lua_pushlstring(L, job->args->text.ptr, job->args->text.len);
    lua_pushinteger(L, job->args->width);
    lua_pushboolean(L, job->args->color);
    return 4;
}

/* (job) -> module.open, {pid =, timeout =, interactive =} */
static int push_open(lua_State *L)
{
    const struct job *job = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, job->prompt->module);
    lua_getfield(L, -1, "open");
    lua_createtable(L, 0, 3);
    if (job->pid) {
        lua_pushinteger(L, job->pid);
        lua_setfield(L, -2, "pid");
    }
    if (job->timeout_ms) {
        lua_pushnumber(L, (double)job->timeout_ms / 1000);
        lua_setfield(L, -2, "timeout");
    }
    lua_pushboolean(L, job->interactive);
    lua_setfield(L, -2, "interactive");
    return 2;
}

/* Calls what push() pushes. */
static struct task *prompt_start(struct prompt *prompt, lua_CFunction push, struct job *job,
                                 const struct task_spec *spec, struct error *err)
{
    struct vm *vm = engine_vm(prompt->engine);
    lua_State *L = vm_lua(vm);
    int top = lua_gettop(L);
    struct task *task;

    if (!vm_push(vm, L, push, job, LUA_MULTRET, err))
        return NULL;
    task = task_new(L, lua_gettop(L) - top - 1, spec, err);
    return task;
}

struct task *
prompt_call(struct prompt *prompt, const char *function, const struct prompt_args *args,
            void (*ended)(void *arg, struct task *task, enum task_end end, int nresults), void *arg,
            struct error *err)
{
    struct job job = { .prompt = prompt, .function = function, .args = args };
    struct task_spec spec = { .name = "repl", .print = prompt->print, .ended = ended, .arg = arg };

    return prompt_start(prompt, push_prompt_call, &job, &spec, err);
}

struct task *prompt_open(struct prompt *prompt, int pid, uint64_t timeout_ms, bool interactive,
                         void (*ended)(void *arg, struct task *task, enum task_end end,
                                       int nresults),
                         void *arg, struct error *err)
{
    struct job job = {
        .prompt = prompt, .pid = pid, .timeout_ms = timeout_ms, .interactive = interactive
    };
    struct task_spec spec = { .name = "repl", .print = prompt->print, .ended = ended, .arg = arg };

    return prompt_start(prompt, push_open, &job, &spec, err);
}

/* (object, prompt) */
static int keep_object(lua_State *L)
{
    struct prompt *prompt = lua_touserdata(L, 2);

    lua_settop(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE);
    prompt->object = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

bool prompt_opened(struct prompt *prompt, struct task *task, int nresults, struct error *err)
{
    lua_State *L = prompt_lua(prompt), *from = task_lua(task);
    int first = lua_gettop(from) - nresults + 1;

    if (nresults >= 3 && lua_type(from, first) == LUA_TNIL &&
        lua_type(from, first + 1) == LUA_TSTRING && lua_type(from, first + 2) == LUA_TSTRING)
        return error_set(err, lua_tostring(from, first + 2), "%s", lua_tostring(from, first + 1));
    if (!lua_checkstack(L, 8))
        return error_set(err, "memory", "not enough memory");
    lua_pushcfunction(L, keep_object);
    lua_settop(from, first);
    lua_xmove(from, L, 1);
    lua_pushlightuserdata(L, prompt);
    return vm_call(engine_vm(prompt->engine), 2, 0, 0, err);
}

/* --- what is known --------------------------------------------------------------------------- */

/* Pushes object.NAME on the main state, without metamethods: nothing is allocated but the name,
 * which the object has. */
static int push_object_field(const struct prompt *prompt, const char *name)
{
    lua_State *L = prompt_lua(prompt);

    lua_rawgeti(L, LUA_REGISTRYINDEX, prompt->object);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    return lua_type(L, -1);
}

const char *prompt_text(const struct prompt *prompt, const char *name)
{
    const char *text = push_object_field(prompt, name) == LUA_TSTRING
                           ? lua_tostring(prompt_lua(prompt), -1)
                           : NULL;

    lua_pop(prompt_lua(prompt), 1); /* the object keeps it */
    return text;
}

bool prompt_can(const struct prompt *prompt, const char *name)
{
    bool can = push_object_field(prompt, name) == LUA_TFUNCTION;

    lua_pop(prompt_lua(prompt), 1);
    return can;
}

static bool text_compiles(struct prompt *prompt, const char *text, size_t len, struct error *err)
{
    if (!sandbox_load(prompt->sandbox, "repl", text, len, err))
        return false;
    lua_pop(prompt_lua(prompt), 1);
    return true;
}

bool prompt_unfinished(struct prompt *prompt, struct str text)
{
    struct buf expression = { 0 };
    struct error one, other;
    bool unfinished;

    if (text.len && *text.ptr == '=')
        text = (struct str){ text.ptr + 1, text.len - 1 };
    buf_lit(&expression, "return ");
    buf_add(&expression, text.ptr, text.len);
    unfinished = !text_compiles(prompt, expression.data, expression.len, &one) &&
                 !text_compiles(prompt, text.ptr, text.len, &other) &&
                 (sandbox_unfinished(&one) || sandbox_unfinished(&other));
    buf_free(&expression);
    return unfinished;
}
