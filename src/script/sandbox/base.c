/* The base functions: Lua's own, but for those that would let a file stop the
 * engine or reach into another file.
 *
 * They are copied from a template made once per VM, so that ("").rep and
 * string.rep of one file cannot be changed by another. No hook interrupts a C
 * function, so those whose time a text from outside decides are ours (script/stdlib/strings.h). */
#include "script/sandbox/base.h"

#include <lauxlib.h>

#include "script/budget.h"
#include "script/purity.h"
#include "script/show.h"
#include "script/stdlib/strings.h"
#include "script/task_struct.h"

static const char template_key, locked_key, open_key;

/* --- pcall and xpcall ------------------------------------------------------------- */

/* Like Lua's, but the error that ends a task is passed on: otherwise
 * `while true do pcall(f) end` could never be stopped. The context of both is
 * the depth of nesting, and under xpcall what stands below the results. */

enum { PCALL_BELOW = 0, XPCALL_BELOW = 2 };

static lua_KContext enter_pcall(struct task *task, int below)
{
    return (lua_KContext)(++task->end.pcalls) * 4 + below;
}

static int finish_pcall(lua_State *L, int status, lua_KContext context)
{
    struct task *task = task_of(L);
    int depth = (int)(context / 4), below = (int)(context % 4);

    task->end.pcalls = depth - 1;
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - below;
    if (task_passes_on(task, depth)) {
        task->end.passing = depth - 1; /* those of <close> variables further out do not */
        return lua_error(L);
    }
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

static int base_pcall(lua_State *L)
{
    lua_KContext context;
    int nargs;

    luaL_checkany(L, 1);
    nargs = lua_gettop(L) - 1;
    lua_pushboolean(L, 1); /* the first result if all is well */
    lua_insert(L, 1);
    context = enter_pcall(task_of(L), PCALL_BELOW);
    return finish_pcall(L, lua_pcallk(L, nargs, LUA_MULTRET, 0, context, finish_pcall), context);
}

/* Upvalues: the script's handler, and the depth. The handler of an error that
 * ends the task is not asked: hooks are off while it would run. */
static int on_error_message(lua_State *L)
{
    if (task_passes_on(task_of(L), (int)lua_tointeger(L, lua_upvalueindex(2))))
        return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static int base_xpcall(lua_State *L)
{
    int nargs = lua_gettop(L) - 2;
    lua_KContext context;

    luaL_checktype(L, 2, LUA_TFUNCTION);
    context = enter_pcall(task_of(L), XPCALL_BELOW);
    lua_pushvalue(L, 2);
    lua_pushinteger(L, context / 4);
    lua_pushcclosure(L, on_error_message, 2);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1); /* f, handler, args..., true, f */
    lua_rotate(L, 3, 2); /* f, handler, true, f, args... */
    return finish_pcall(L, lua_pcallk(L, nargs, LUA_MULTRET, 2, context, finish_pcall), context);
}

/* --- tables --------------------------------------------------------------------------- */

static int close_done(lua_State *L, int status, lua_KContext context)
{
    (void)L;
    (void)status;
    (void)context;
    return 0;
}

/* Upvalue 1: a file's own __close. In a task that is being stopped nothing may wait, so there it
 * runs in a task of its own. (value, error) */
static int call_close(lua_State *L)
{
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1); /* f, value, error */
    if (task_start_closer(L, 2))
        return 0;
    lua_callk(L, 2, 0, 0, close_done);
    return 0;
}

/* The metatable at index 2: its __close goes through call_close(). */
static void wrap_close(lua_State *L)
{
    lua_pushliteral(L, "__close");
    if (lua_rawget(L, 2) == LUA_TFUNCTION && !lua_iscfunction(L, -1)) {
        lua_pushcclosure(L, call_close, 1);
        lua_pushliteral(L, "__close");
        lua_insert(L, -2);
        lua_rawset(L, 2);
    }
    lua_settop(L, 2);
}

static int base_setmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argcheck(L, lua_isnoneornil(L, 2) || lua_istable(L, 2), 2, "nil or table expected");
    luaL_argcheck(L, luaL_getmetafield(L, 1, "__metatable") == LUA_TNIL, 1, "protected metatable");
    if (lua_istable(L, 2)) {
        lua_pushliteral(L, "__gc");
        luaL_argcheck(L, lua_rawget(L, 2) == LUA_TNIL, 2, "__gc is not available. Use <close>");
        lua_settop(L, 2);
        wrap_close(L);
    }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

/* Tables that refuse writing refuse it here, too. */
static int base_rawset(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    luaL_checkany(L, 3);
    lua_settop(L, 3);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        luaL_argcheck(L, luaL_getmetafield(L, 1, "__newindex") == LUA_TNIL, 1,
                      "this table is read-only");
    lua_settop(L, 3);
    lua_rawset(L, 1);
    return 1;
}

/* --- print ------------------------------------------------------------------------------ */

static int base_print(lua_State *L)
{
    int n = lua_gettop(L);
    luaL_Buffer line;
    size_t len;

    lua_settop(L, n);
    for (int i = 1; i <= n; i++) { /* before the buffer, which wants the stack balanced */
        show_push(L, i, NULL);
        lua_replace(L, i);
    }
    luaL_buffinit(L, &line);
    for (int i = 1; i <= n; i++) {
        if (i > 1)
            luaL_addchar(&line, '\t');
        lua_pushvalue(L, i);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    const char *text = lua_tolstring(L, -1, &len);
    task_print(L, text, len);
    return 0;
}

/* --- the template ----------------------------------------------------------------- */

static void copy_fields(lua_State *L, int from, int to, const char *const *names)
{
    for (; *names; names++) {
        lua_getfield(L, from, *names);
        lua_setfield(L, to, *names);
    }
}

void sandbox_copy_table(lua_State *L, int from, int to)
{
    for (lua_pushnil(L); lua_next(L, from);) { /* k, v */
        lua_pushvalue(L, -2);                  /* k, v, k */
        lua_insert(L, -2);                     /* k, k, v */
        lua_rawset(L, to);                     /* k */
    }
}

static int locked_write(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";

    return luaL_error(L, "global '%s' is not declared (write `local %s`)", name, name);
}

static int locked_read(lua_State *L)
{
    static const char *const gone[] = { "io",        "os",          "debug",      "package",
                                        "load",      "dofile",      "loadstring", "loadfile",
                                        "coroutine", "getmetatable" };

    for (size_t i = 0; lua_type(L, 2) == LUA_TSTRING && i < countof(gone); i++)
        if (strcmp(lua_tostring(L, 2), gone[i]) == 0)
            return luaL_error(
                L, "'%s' is not available to scripts. Require a sys module to reach the machine",
                gone[i]);
    lua_pushnil(L);
    return 1;
}

static void make_global_meta(lua_State *L, const void *key, lua_CFunction write)
{
    lua_createtable(L, 0, 3); /* mt */
    if (write) {
        lua_pushcfunction(L, write);
        lua_setfield(L, -2, "__newindex");
    }
    lua_pushcfunction(L, locked_read);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static const char *const libs[] = { "string", "table", "math", "utf8" };

/* These functions make a file's result depend on more than its text. The template is on top. */
static void note_impure(lua_State *L)
{
    lua_getfield(L, -1, "print");
    purity_add(L);
    lua_getfield(L, -1, "math");
    lua_getfield(L, -1, "random"); /* template, math, f */
    purity_add(L);
    lua_pop(L, 1);
}

/* registry[&template_key] = { base functions, string = {...}, ... }. The tables of
 * the libraries are those Lua made: ("").rep is looked up in one of them. */
static void make_template(lua_State *L)
{
    static const char *const kept[] = { "assert",   "error",  "ipairs", "next",     "pairs",
                                        "rawequal", "rawget", "rawlen", "select",   "tonumber",
                                        "tostring", "type",   "warn",   "_VERSION", NULL };
    static const luaL_Reg ours[] = {
        { "pcall", base_pcall },   { "print", base_print },
        { "rawset", base_rawset }, { "setmetatable", base_setmetatable },
        { "xpcall", base_xpcall }, { NULL, NULL }
    };

    lua_newtable(L);        /* t */
    lua_pushglobaltable(L); /* t, G */
    copy_fields(L, lua_gettop(L), lua_gettop(L) - 1, kept);
    for (size_t i = 0; i < countof(libs); i++) {
        lua_getfield(L, -1, libs[i]); /* t, G, lib */
        lua_setfield(L, -3, libs[i]); /* t, G */
    }
    lua_pop(L, 1); /* t */
    luaL_setfuncs(L, ours, 0);
    lua_getfield(L, -1, "string"); /* t, string */
    strings_set(L);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_pop(L, 1);
    note_impure(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &template_key);

    make_global_meta(L, &locked_key, locked_write);
    make_global_meta(L, &open_key, NULL);
}

void sandbox_push_base(lua_State *L, bool open)
{
    int env;

    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &template_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        make_template(L);
        lua_rawgetp(L, LUA_REGISTRYINDEX, &template_key);
    }                          /* template */
    lua_createtable(L, 0, 32); /* template, env */
    env = lua_gettop(L);
    sandbox_copy_table(L, env - 1, env);
    for (size_t i = 0; i < countof(libs); i++) {
        lua_getfield(L, env - 1, libs[i]); /* template, env, lib */
        lua_createtable(L, 0, 20);         /* template, env, lib, copy */
        sandbox_copy_table(L, env + 1, env + 2);
        lua_setfield(L, env, libs[i]); /* template, env, lib */
        lua_pop(L, 1);
    }
    lua_pushvalue(L, env);
    lua_setfield(L, env, "_G");
    lua_rawgetp(L, LUA_REGISTRYINDEX, open ? &open_key : &locked_key);
    lua_setmetatable(L, env);
    lua_remove(L, env - 1); /* env */
}
