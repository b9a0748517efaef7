/* Loading files with global tables of their own, and `require`. */
#include "script/sandbox/sandbox.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/distance.h"
#include "base/util.h"
#include "script/purity.h"
#include "script/sandbox/base.h"
#include "script/sandbox/chunk.h"
#include "script/sandbox/frozen.h"
#include "script/sandbox/module_name.h"
#include "script/sandbox/record.h"
#include "script/sandbox/sandbox_struct.h"
#include "script/task.h"
#include "script/vm.h"

/* --- require ---------------------------------------------------------------------- */

/* Replaces a module's table by a copy, so that no file can change another's. */
static int push_copy(lua_State *L)
{
    lua_newtable(L); /* module, copy */
    sandbox_copy_table(L, lua_gettop(L) - 1, lua_gettop(L));
    return 1;
}

static void check_allowed(lua_State *L, const struct sandbox_spec *spec, const char *name)
{
    if (spec->allow && !spec->allow(spec->arg, name))
        luaL_error(L, "module '%s' is not available here%s", name,
                   spec->why_not ? spec->why_not : "");
}

/* A file of another root is judged by the policy and takes no part in it: it could approve of
 * itself. */
static void check_not_the_judge(lua_State *L, const struct sandbox_spec *spec, int home,
                                const char *name)
{
    struct error err = { .text = "" };
    int from = home;
    bool judge = strcmp(name, "sys.policy") == 0;

    if (home <= HOME_SHIPPED)
        return;
    if (strncmp(name, "policy.", 7) == 0)
        judge = spec->find && spec->find(spec->arg, &from, name, NULL, NULL, &err) &&
                from == HOME_SHIPPED;
    if (judge)
        luaL_error(L, "module '%s' is only for the files that come with the program", name);
}

/* Takes from the module on top of the stack what asks for no grant: it is for the files that come
 * with the program, which read the user's settings with it. */
static void withhold_trusted(lua_State *L, int home, const char *name)
{
    static const char *const trusted[] = { "look", "run", "trusted" };
    bool has = strcmp(name, "sys.files") == 0 || strcmp(name, "sys.python") == 0;

    for (size_t i = 0; i < countof(trusted) && has && home != HOME_SHIPPED; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, trusted[i]);
    }
}

static int push_rest(lua_State *L);

/* False, nothing pushed: no module of the program has this name. */
static bool push_sys(lua_State *L, const char *name)
{
    if (!vm_push_module(L, name))
        return false;
    if (purity_watched(L))
        purity_add_module(L, name);
    push_copy(L);
    if (!module_has_rest(name))
        return true;
    lua_createtable(L, 0, 2); /* copy, meta */
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushstring(L, name);
    lua_pushcclosure(L, push_rest, 2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    return true;
}

/* Raises unless it is a sys module that is a file, lib/sys/NAME.lua, of those that come with the
 * program. Files of other roots are not part of sys. */
static void check_shipped(lua_State *L, const struct sandbox_spec *spec, const char *name)
{
    struct nearest_name nearest = { .typed = name };
    struct error err = { .text = "" };
    int home = HOME_SHIPPED;
    bool found = spec->find && spec->find(spec->arg, &home, name, NULL, NULL, &err);

    if (found && home == HOME_SHIPPED)
        return;
    if (!found && *err.text)
        luaL_error(L, "%s", err.text);
    vm_nearest_module(L, &nearest);
    luaL_error(L, "module '%s' does not exist%s", name, nearest_name_text(&nearest).text);
}

static void give_env(lua_State *L, struct sandbox *sandbox, int home, const char *key);

/* Raises the error of an earlier try, if failures are remembered and there was one. */
static void raise_failure(lua_State *L, struct sandbox *sandbox, const char *key)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->failed); /* failed */
    if (lua_getfield(L, -1, key) == LUA_TTABLE) {       /* failed, {error} */
        lua_rawgeti(L, -1, 1);
        lua_error(L);
    }
    if (sandbox->remembers && !lua_isnil(L, -1))
        lua_error(L);
    lua_pop(L, 2);
}

/* Notes the error on top of the stack; `spun`: it took too long. */
static void note_failure(lua_State *L, struct sandbox *sandbox, const char *key, bool spun)
{
    if (!sandbox->remembers)
        return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->failed); /* error, failed */
    lua_pushvalue(L, -2);                               /* error, failed, error */
    if (spun && sandbox->for_good) {
        lua_createtable(L, 1, 0);
        lua_insert(L, -2);
        lua_rawseti(L, -2, 1); /* error, failed, {error} */
    }
    lua_setfield(L, -2, key);
    lua_pop(L, 1); /* error */
}

/* The module's function has run: name, key, loaded, value | error. */
static int require_done(lua_State *L, int status, lua_KContext context)
{
    struct sandbox *sandbox = (void *)context;
    const char *name = lua_tostring(L, 1), *key = lua_tostring(L, 2);

    if (status == LUA_OK || status == LUA_YIELD) {
        if (!lua_isnil(L, -1)) {
            frozen_make(L); /* loaded, value */
            lua_pushvalue(L, -1);
            lua_setfield(L, -3, key); /* loaded[key] = value */
            record_note(L);
            return 1;
        }
        lua_pop(L, 1);
        lua_pushfstring(L, "module '%s' returns nothing", name); /* loaded, error */
    }
    lua_pushnil(L);
    lua_setfield(L, -3, key);
    if (task_is_loading(L) || !task_current(L)) /* a call may fail for reasons of its own */
        note_failure(L, sandbox, key, task_late(L));
    return lua_error(L);
}

/* Runs the module's function, as lua_pcall(L, 0, 1, 0), and notes whether the module is pure. */
static int run_watched(lua_State *L, struct sandbox *sandbox, const char *key)
{
    bool before = purity_enter(L);
    int status = lua_pcall(L, 0, 1, 0);

    if (purity_leave(L, before)) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->pure);
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, key);
        lua_pop(L, 1);
    }
    return status;
}

/* A module that is there already: what it returned may have come from the world. */
static void take_purity(lua_State *L, struct sandbox *sandbox, const char *key)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->pure);
    if (lua_getfield(L, -1, key) != LUA_TBOOLEAN)
        purity_spoil(L);
    lua_pop(L, 2);
}

/* Pushes the function of a lib module, of its code if that is there. False: err. */
static bool push_lib_module(lua_State *L, struct sandbox *sandbox, int *home, const char *name,
                            struct error *err)
{
    const struct sandbox_spec *spec = &sandbox->spec;
    struct buf path = { 0 }, source = { 0 };
    bool ok;

    if (spec->find_code && spec->find_code(spec->arg, home, name, &path, &source))
        ok = chunk_push_code(L, buf_text(&path), buf_str(&source), err);
    else
        ok = spec->find(spec->arg, home, name, &path, &source, err) &&
             chunk_push(L, buf_text(&path), buf_str(&source), err);
    buf_free(&path);
    buf_free(&source);
    return ok;
}

/* Loads a lib module and leaves its (frozen) value; raises on failure. The stack: name, key. While
 * a file is loaded in turns, so are its modules; in a call they are loaded without a break. */
static int require_lib(lua_State *L, struct sandbox *sandbox, int home)
{
    const char *name = lua_tostring(L, 1), *key = lua_tostring(L, 2);
    struct error err = { .text = "" };

    raise_failure(L, sandbox, key);
    if (!push_lib_module(L, sandbox, &home, name, &err))
        return luaL_error(L, "%s", err.text);
    give_env(L, sandbox, home, key);
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->loaded); /* f, loaded */
    lua_pushlightuserdata(L, task_mark(L));
    lua_setfield(L, -2, key); /* loaded[key] = its task */
    lua_insert(L, -2);        /* loaded, f */
    if (task_is_loading(L) && lua_isyieldable(L))
        return require_done(L, lua_pcallk(L, 0, 1, 0, (lua_KContext)sandbox, require_done),
                            (lua_KContext)sandbox);
    return require_done(L, run_watched(L, sandbox, key), (lua_KContext)sandbox);
}

/* (name): finds whose module that is, and pushes "HOME:NAME". */
static int push_module_key(lua_State *L, struct sandbox *sandbox, int home)
{
    struct error err = { .text = "" };
    const char *name = lua_tostring(L, 1);

    if (!sandbox->spec.find)
        return luaL_error(L, "module '%s' is not available here", name);
    if (!sandbox->spec.find(sandbox->spec.arg, &home, name, NULL, NULL, &err))
        return luaL_error(L, "%s", err.text);
    lua_settop(L, 1);
    lua_pushfstring(L, "%d:%s", home, name); /* name, key */
    return home;
}

/* The sandbox of a function whose first upvalue is the guard, { sandbox } while the sandbox lives;
 * NULL otherwise. */
static struct sandbox *guarded_sandbox(lua_State *L)
{
    struct sandbox *sandbox;

    lua_rawgeti(L, lua_upvalueindex(1), 1);
    sandbox = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return sandbox;
}

/* (name) -> the value of a lib module */
static int push_lib(lua_State *L, struct sandbox *sandbox, int home)
{
    home = push_module_key(L, sandbox, home);           /* name, key */
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->loaded); /* name, key, loaded */
    lua_getfield(L, -1, lua_tostring(L, 2));            /* name, key, loaded, value */
    if (lua_touserdata(L, -1) == task_mark(L))
        return luaL_error(L, "module '%s' requires itself", lua_tostring(L, 1));
    if (!lua_isnil(L, -1) && !(lua_islightuserdata(L, -1) && lua_touserdata(L, -1))) {
        if (purity_watched(L))
            take_purity(L, sandbox, lua_tostring(L, 2));
        record_note(L);
        return 1; /* not one that another task is loading, in turns: this one takes its own */
    }
    lua_settop(L, 2);
    return require_lib(L, sandbox, home);
}

/* (name) -> the rest of a module; the upvalue: the guard */
static int load_rest(lua_State *L)
{
    return push_lib(L, guarded_sandbox(L), HOME_SHIPPED);
}

/* __index of a module's copy; upvalues: the guard, the module's name */
static int push_rest(lua_State *L)
{
    const struct sandbox *sandbox = guarded_sandbox(L);

    if (!sandbox || !sandbox->spec.find || lua_type(L, 2) != LUA_TSTRING)
        return 0;
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, load_rest, 1);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_call(L, 1, 1); /* copy, key, rest */
    lua_pushvalue(L, 2);
    lua_gettable(L, -2); /* it is frozen */
    if (lua_isnil(L, -1))
        return 1;
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 1);
    return 1;
}

/* Upvalues: the guard; the home of the file; its record (sandbox.records), or nil. */
static int base_require(lua_State *L)
{
    size_t len;
    const char *name = luaL_checklstring(L, 1, &len);
    int home = (int)lua_tointeger(L, lua_upvalueindex(2));
    struct sandbox *sandbox = guarded_sandbox(L);

    if (!sandbox)
        return luaL_error(
            L, "require '%s': the file that calls it was replaced. Require at the top of the file",
            name);
    luaL_argcheck(L, strlen(name) == len && module_name_ok(name), 1, "not a module name");
    if (strncmp(name, "sys.", 4) == 0)
        check_allowed(L, &sandbox->spec, name);
    else if (strcmp(name, "perigee") == 0 && vm_push_module(L, name)) {
        purity_add_module(L, name);
        return push_copy(L);
    }
    check_not_the_judge(L, &sandbox->spec, home, name);
    if (sandbox->spec.stand_in && sandbox->spec.stand_in(sandbox->stand_in_arg, L, name))
        return 1;
    if (strcmp(name, "tools") == 0 && vm_push_module(L, name))
        return 1; /* it is read-only, and its own functions are noted: purity.h */
    if (strncmp(name, "sys.", 4) == 0) {
        if (push_sys(L, name)) {
            withhold_trusted(L, home, name);
            record_note(L);
            return 1;
        }
        check_shipped(L, &sandbox->spec, name);
        home = HOME_SHIPPED;
    } else if (record_push_value(L)) {
        return 1;
    }
    return push_lib(L, sandbox, home);
}

/* --- loading ------------------------------------------------------------------------ */

/* Pushes a fresh global table. */
static void push_globals(lua_State *L, struct sandbox *sandbox, int home, const char *key)
{
    sandbox_push_base(L, sandbox->spec.open_globals); /* env */
    lua_pushliteral(L, "require");
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->guard);
    lua_pushinteger(L, home);
    record_push_new(L, sandbox, home, key);
    lua_pushcclosure(L, base_require, 3);
    lua_rawset(L, -3); /* raw: globals may be locked */
}

/* Modules that a prompt's texts require share no globals with them: they are of another home. */
static void push_env(lua_State *L, struct sandbox *sandbox, int home, const char *key)
{
    bool shares = sandbox->spec.one_env && home == HOME_NONE;

    if (shares && sandbox->env != LUA_NOREF) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->env);
        return;
    }
    push_globals(L, sandbox, home, key);
    if (shares) {
        lua_pushvalue(L, -1);
        sandbox->env = luaL_ref(L, LUA_REGISTRYINDEX);
    }
}

static void give_env(lua_State *L, struct sandbox *sandbox, int home, const char *key)
{
    push_env(L, sandbox, home, key); /* f, env */
    if (!lua_setupvalue(L, -2, 1))   /* f: _ENV = env */
        lua_pop(L, 1);
}

/* Its own tables, at first use: here a lack of memory is an error of what is loaded. */
static void make_tables(lua_State *L, struct sandbox *sandbox)
{
    if (sandbox->loaded == LUA_NOREF) {
        lua_newtable(L);
        sandbox->loaded = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    if (sandbox->failed == LUA_NOREF) {
        lua_newtable(L);
        sandbox->failed = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    if (sandbox->pure == LUA_NOREF) {
        lua_newtable(L);
        sandbox->pure = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    if (sandbox->records == LUA_NOREF) {
        lua_newtable(L);
        sandbox->records = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    if (sandbox->guard == LUA_NOREF) {
        lua_newtable(L);
        lua_pushlightuserdata(L, sandbox);
        lua_rawseti(L, -2, 1);
        sandbox->guard = luaL_ref(L, LUA_REGISTRYINDEX);
    }
}

struct lib_load {
    struct sandbox *sandbox;
    int home;
    const char *name;
    struct str text;
    bool is_code;
    struct error *err;
    bool ok;
};

static int load_protected(lua_State *L)
{
    struct lib_load *loading = lua_touserdata(L, 1);

    loading->ok = (loading->is_code ? chunk_push_code : chunk_push)(L, loading->name, loading->text,
                                                                    loading->err);
    if (!loading->ok)
        return 0;
    make_tables(L, loading->sandbox);
    if (loading->home > HOME_SHIPPED)
        lua_pushfstring(L, "file %d:%s", loading->home, loading->name);
    else
        lua_pushnil(L);
    lua_insert(L, -2); /* key | nil, f */
    give_env(L, loading->sandbox, loading->home, lua_tostring(L, -2));
    return 1;
}

static bool load_lib(struct sandbox *sandbox, struct lib_load *loading)
{
    lua_State *L = vm_lua(sandbox->vm);

    loading->sandbox = sandbox;
    lua_pushcfunction(L, load_protected);
    lua_pushlightuserdata(L, loading);
    if (!vm_call(sandbox->vm, 1, 1, SANDBOX_LOAD_MS, loading->err))
        return false;
    if (!loading->ok)
        lua_pop(L, 1);
    return loading->ok;
}

bool sandbox_load_file(struct sandbox *sandbox, int home, const char *name, const char *text,
                       size_t len, struct error *err)
{
    return load_lib(sandbox, &(struct lib_load){
                                 .home = home, .name = name, .text = { text, len }, .err = err });
}

bool sandbox_load_code(struct sandbox *sandbox, int home, const char *name, struct str code,
                       struct error *err)
{
    return load_lib(sandbox,
                    &(struct lib_load){
                        .home = home, .name = name, .text = code, .is_code = true, .err = err });
}

bool sandbox_load(struct sandbox *sandbox, const char *name, const char *text, size_t len,
                  struct error *err)
{
    return sandbox_load_file(sandbox, HOME_NONE, name, text, len, err);
}

bool sandbox_unfinished(const struct error *err)
{
    static const char end[] = "<eof>";
    size_t len = strlen(err->text);

    return len >= sizeof end - 1 && strcmp(err->text + len - (sizeof end - 1), end) == 0;
}

bool sandbox_run(struct sandbox *sandbox, const char *name, const char *text, size_t len,
                 uint64_t budget_ms, struct error *err)
{
    return sandbox_load(sandbox, name, text, len, err) &&
           vm_call(sandbox->vm, 0, 1, budget_ms, err);
}

/* --- failures ------------------------------------------------------------------------ */

/* (sandbox) */
static int forget_protected(lua_State *L)
{
    struct sandbox *sandbox = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->failed);
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) { /* name, error */
        if (lua_istable(L, -1))
            continue;
        lua_pushvalue(L, -2);
        lua_pushnil(L);
        lua_rawset(L, 2); /* a field may be cleared on the way */
    }
    return 0;
}

void sandbox_remember(struct sandbox *sandbox, bool on)
{
    sandbox->remembers = on;
    if (sandbox->failed != LUA_NOREF)
        vm_run(sandbox->vm, forget_protected, sandbox, NULL);
}

void sandbox_give_up(struct sandbox *sandbox, bool on)
{
    sandbox->for_good = on;
}

struct abandoned {
    struct sandbox *sandbox;
    const struct task *task;
    struct buf *names; /* NULL: the modules did not fail */
};

/* (abandoned) */
static int abandon_protected(lua_State *L)
{
    const struct abandoned *abandoned = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, abandoned->sandbox->loaded); /* abandoned, loaded */
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {          /* ..., name, value */
        const char *key = lua_tostring(L, -2), *name = strchr(key, ':') + 1;

        if (!lua_islightuserdata(L, -1) || lua_touserdata(L, -1) != abandoned->task)
            continue;
        if (abandoned->names) {
            buf_addf(abandoned->names, "%s%s", abandoned->names->len ? ", " : "", name);
            lua_pushfstring(L, "module '%s' took too long to load", name);
            note_failure(L, abandoned->sandbox, key, true);
            lua_pop(L, 1);
        }
        lua_pushvalue(L, -2);
        lua_pushnil(L);
        lua_rawset(L, 2);
    }
    return 0;
}

void sandbox_abandon(struct sandbox *sandbox, const struct task *task, struct buf *names)
{
    struct abandoned abandoned = { sandbox, task, names };

    if (sandbox->loaded != LUA_NOREF)
        vm_run(sandbox->vm, abandon_protected, &abandoned, NULL);
}

void sandbox_set_global(lua_State *L, const char *name)
{
    if (!lua_getupvalue(L, -1, 1)) { /* value, f, env */
        lua_remove(L, -2);
        return;
    }
    lua_pushstring(L, name);
    lua_pushvalue(L, -4); /* value, f, env, name, value */
    lua_rawset(L, -3);    /* value, f, env */
    lua_pop(L, 1);
    lua_remove(L, -2); /* f */
}

struct sandbox *sandbox_new(struct vm *vm, const struct sandbox_spec *spec)
{
    struct sandbox *sandbox = mem_zero(sizeof *sandbox);

    sandbox->vm = vm;
    sandbox->spec = *spec;
    sandbox->stand_in_arg = spec->arg;
    sandbox->env = sandbox->loaded = sandbox->failed = sandbox->pure = LUA_NOREF;
    sandbox->records = sandbox->guard = LUA_NOREF;
    return sandbox;
}

void sandbox_free(struct sandbox *sandbox)
{
    lua_State *L;

    if (!sandbox)
        return;
    L = vm_lua(sandbox->vm);
    if (sandbox->guard != LUA_NOREF) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox->guard);
        lua_pushnil(L);
        lua_rawseti(L, -2, 1); /* guard[1] = nil */
        lua_pop(L, 1);
    }
    luaL_unref(L, LUA_REGISTRYINDEX, sandbox->env);
    luaL_unref(L, LUA_REGISTRYINDEX, sandbox->guard);
    luaL_unref(L, LUA_REGISTRYINDEX, sandbox->loaded);
    luaL_unref(L, LUA_REGISTRYINDEX, sandbox->failed);
    luaL_unref(L, LUA_REGISTRYINDEX, sandbox->pure);
    luaL_unref(L, LUA_REGISTRYINDEX, sandbox->records);
    free(sandbox);
}

void sandbox_set_stand_in(struct sandbox *sandbox,
                          bool (*stand_in)(void *arg, lua_State *L, const char *module), void *arg)
{
    sandbox->spec.stand_in = stand_in;
    sandbox->stand_in_arg = arg;
}
