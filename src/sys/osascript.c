/* sys.osascript -- AppleScript, its values as arguments. */
#include "platform/osascript/osascript.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/dry_run.h"
#include "script/bind.h"
#include "sys/sys.h"

#define RUN_TYPE "sys.osascript.run"

enum { OSA_TIMEOUT_S = 10, OSA_TIMEOUT_MAX_S = 600 };

enum { AT_SPEC = 1, AT_RUN };

const char sys_scripts_key, sys_helper_key;

struct osascript_run {
    struct op op;
    struct osascript *script;
    char *path; /* the script's file; owned */
    bool ok;
    struct buf output; /* the output of a script that ended well */
    struct error err;
    int number;
};

static int osascript_run_gc(lua_State *L)
{
    struct osascript_run *run = lua_touserdata(L, 1);

    osascript_free(run->script);
    run->script = NULL;
    buf_free(&run->output);
    free(run->path);
    run->path = NULL;
    return 0;
}

static void osascript_run_cancel(struct op *op)
{
    struct osascript_run *run = container_of(op, struct osascript_run, op);

    osascript_free(run->script);
    run->script = NULL;
}

static void on_run_done(void *arg, const struct osascript_result *result)
{
    struct osascript_run *run = arg;

    run->ok = result->ok;
    run->err = result->err;
    run->number = result->number;
    if (result->ok)
        buf_add(&run->output, result->output.ptr, result->output.len);
    osascript_free(run->script);
    run->script = NULL;
    task_wake(&run->op, 0);
}

static int finish_run(lua_State *L, int status, lua_KContext context)
{
    struct osascript_run *run = lua_touserdata(L, AT_RUN);

    (void)status;
    (void)context;
    if (run->ok) {
        lua_pushlstring(L, run->output.len ? run->output.data : "", run->output.len);
        buf_free(&run->output);
        return 1;
    }
    bind_error(L, &run->err);
    if (!run->number)
        return 3;
    lua_pushinteger(L, run->number);
    return 4;
}

/* Returns the list at spec.args. Its memory is on the stack. */
static const char *const *push_script_args(lua_State *L)
{
    struct buf *words = bind_buffer(L);
    const char **list, *word;
    size_t count = 0;

    lua_pushliteral(L, "args");
    if (lua_rawget(L, AT_SPEC) == LUA_TTABLE)
        count = bind_words(L, AT_SPEC, -1, "args", words);
    else if (!lua_isnil(L, -1))
        bind_field_error(L, AT_SPEC, "args", "list of strings expected");
    list = lua_newuserdatauv(L, (count + 1) * sizeof *list, 0);
    word = words->data;
    for (size_t i = 0; i < count; i++, word += strlen(word) + 1)
        list[i] = word;
    list[count] = NULL;
    return list;
}

/* The path of scripts/NAME, or NULL. */
static char *find_script(lua_State *L, const char *name)
{
    const struct sys_scripts *scripts = vm_service(L, &sys_scripts_key);

    return scripts ? scripts->find(scripts->arg, name) : NULL;
}

/* Checks spec.terms, which is put between two quotes in a script. */
static const char *check_terms(lua_State *L)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    size_t len;
    const char *terms = bind_text(L, AT_SPEC, "terms", &len);

    if (terms && (len == 0 || len > 255 || strspn(terms, legal) != len))
        bind_field_error(L, AT_SPEC, "terms",
                         "bundle id expected (letters, digits, dots, hyphens)");
    return terms;
}

/* sys.osascript.run(spec) -> output | nil, text, code [, number] */
static int osascript_run(lua_State *L)
{
    static const char *const fields[] = { "file", "text", "args", "terms", "timeout", NULL };
    struct osascript_spec spec = { 0 };
    struct task *task = task_here(L);
    const char *file;
    struct error err;
    struct osascript_run *run;

    if (dry_run_refuses(&err, "run scripts of applications"))
        return bind_error(L, &err);
    lua_settop(L, AT_SPEC);
    bind_check_fields(L, AT_SPEC, fields);
    file = bind_text(L, AT_SPEC, "file", NULL);
    spec.text.ptr = bind_text(L, AT_SPEC, "text", &spec.text.len);
    luaL_argcheck(L, !file != !spec.text.ptr, AT_SPEC, "pass either file or text");
    spec.terms = check_terms(L);
    spec.timeout_ms = (uint64_t)ceil(
        1000 * bind_number(L, AT_SPEC, "timeout", OSA_TIMEOUT_S, 0.001, OSA_TIMEOUT_MAX_S));
    run = lua_newuserdatauv(L, sizeof *run, 0); /* spec, run */
    *run = (struct osascript_run){ .op = { task, osascript_run_cancel, "AppleScript", NULL } };
    luaL_setmetatable(L, RUN_TYPE);
    spec.args = push_script_args(L); /* spec, run, words, args, list */
    if (file && !(run->path = find_script(L, file)))
        return bind_fail(L, "not_found", "there is no scripts/%s in any of the roots", file);
    spec.file = run->path;
    spec.helper = vm_service(L, &sys_helper_key);
    run->script = osascript_start(vm_loop(vm_of(L)), &spec, on_run_done, run, &err);
    if (!run->script)
        return bind_error(L, &err);
    return task_park_then(L, &run->op, 0, finish_run);
}

/* sys.osascript.explain(errors) -> text, code [, number] */
static int osascript_explain_errors(lua_State *L)
{
    struct str errors;
    struct error err;
    int number;

    errors.ptr = luaL_checklstring(L, 1, &errors.len);
    number = osascript_explain(errors, &err);
    lua_pushstring(L, err.text);
    lua_pushstring(L, err.code);
    if (!number)
        return 2;
    lua_pushinteger(L, number);
    return 3;
}

static const luaL_Reg osascript_funcs[] = { { "explain", osascript_explain_errors },
                                            { "run", osascript_run },
                                            { NULL, NULL } };

int luaopen_sys_osascript(lua_State *L)
{
    static const luaL_Reg run_meta[] = { { "__gc", osascript_run_gc }, { NULL, NULL } };

    bind_metatable(L, RUN_TYPE, run_meta, NULL);
    luaL_newlib(L, osascript_funcs);
    return 1;
}
