#include "sys/trace/names.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "script/vm.h"
#include "sys/shared/tool_call.h"

static bool text_begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Sets f = PREFIX SIGN key in the table at `names` for each function f of the table on top, and
 * pops that one. */
static void add_functions(lua_State *L, int names, const char *prefix, const char *sign)
{
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) { /* functions, key, f */
        if (!lua_isfunction(L, -1) || lua_type(L, -2) != LUA_TSTRING)
            continue;
        lua_pushvalue(L, -1);
        lua_pushfstring(L, "%s%s%s", prefix, sign, lua_tostring(L, -3));
        lua_rawset(L, names);
    }
    lua_pop(L, 1);
}

/* Adds the methods of a kind of object, whose metatable is on top. */
static void add_methods(lua_State *L, int names, const char *kind)
{
    if (lua_getfield(L, -1, "__index") == LUA_TTABLE)
        add_functions(L, names, kind, ":");
    else
        lua_pop(L, 1);
}

static void set_tool(lua_State *L, int names, lua_CFunction f)
{
    if (f)
        lua_pushcfunction(L, f);
    lua_pushliteral(L, TRACE_TOOL);
    lua_rawset(L, names);
}

void trace_push_names(lua_State *L)
{
    const char *name;
    int names;

    lua_newtable(L);
    names = lua_gettop(L);
    for (int i = 0; (name = vm_module_name(vm_of(L), i)); i++)
        if (text_begins(name, "sys.") && vm_push_module(L, name))
            add_functions(L, names, name, ".");
    lua_pushvalue(L, LUA_REGISTRYINDEX);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) /* registry, key, value */
        if (lua_type(L, -2) == LUA_TSTRING && lua_istable(L, -1) &&
            text_begins(lua_tostring(L, -2), "sys."))
            add_methods(L, names, lua_tostring(L, -2));
    lua_pop(L, 1);
    set_tool(L, names, tools_call_function());
    if (vm_push_module(L, "perigee")) {
        lua_getfield(L, -1, "call");
        lua_remove(L, -2);
        set_tool(L, names, NULL);
    }
    if (vm_push_module(L, "sys.engine")) {
        lua_getfield(L, -1, "call");
        lua_remove(L, -2);
        set_tool(L, names, NULL);
    }
}

/* Returns the source of the first Lua function above the running one. NULL: there is none, as after
 * a tail call by the task's own function. */
static const char *caller_source(lua_State *L, lua_Debug *caller)
{
    for (int level = 1; lua_getstack(L, level, caller); level++) {
        lua_getinfo(L, "S", caller);
        if (*caller->what != 'C')
            return caller->source;
    }
    return NULL;
}

/* True for the function's own file. lib/sys/NAME.lua may share its work with lib/NAME.lua. */
static bool is_own_file(const char *source, const char *caller, const char *name)
{
    return strcmp(caller, source) == 0 ||
           (text_begins(caller, "@lib/") && strcmp(caller + strlen("@lib/"), name) == 0);
}

bool trace_push_lua_name(lua_State *L, lua_Debug *ar)
{
    static const char folder[] = "@lib/sys/";
    lua_Debug caller;
    const char *source, *name = ar->source + sizeof folder - 1;

    if (!text_begins(ar->source, folder) || strcmp(ar->what, "main") == 0)
        return false;
    source = caller_source(L, &caller);
    if (source && is_own_file(ar->source, source, name))
        return false;
    lua_getinfo(L, "n", ar);
    lua_pushfstring(L, "sys.%s", name);
    lua_pushlstring(L, lua_tostring(L, -1), lua_rawlen(L, -1) - strlen(".lua"));
    if (ar->name)
        lua_pushfstring(L, "%s%s%s", lua_tostring(L, -1),
                        strcmp(ar->namewhat, "method") == 0 ? ":" : ".", ar->name);
    else /* after a tail call Lua does not know the name that was called */
        lua_pushfstring(L, "%s, line %d", lua_tostring(L, -1), ar->linedefined);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return true;
}

bool trace_push_file_name(lua_State *L, lua_Debug *ar, const char *file)
{
    lua_Debug caller;
    const char *source = caller_source(L, &caller), *slash = strrchr(ar->source, '/');
    bool own = strcmp(ar->source + 1, file) == 0;

    lua_getinfo(L, "nt", ar); /* after a tail call another function than the caller called */
    if (!source || !(own || (!ar->istailcall && strcmp(source + 1, file) == 0)) ||
        strcmp(ar->what, "main") == 0)
        return false;
    lua_pushstring(L, "");
    if (!own)
        luaL_gsub(L, slash ? slash + 1 : ar->source + 1, ".lua", ".");
    if (ar->name)
        lua_pushstring(L, ar->name);
    else
        lua_pushfstring(L, "a function, line %d", ar->linedefined);
    lua_concat(L, own ? 2 : 3);
    return true;
}

bool trace_is_ours(const char *source)
{
    return text_begins(source, "@lib/cli/") || text_begins(source, "@commands/");
}

bool trace_by_tool(lua_State *L)
{
    lua_Debug caller;
    const char *source = caller_source(L, &caller);

    return !source || !(trace_is_ours(source) || text_begins(source, "@lib/policy/") ||
                        text_begins(source, "@policy.lua"));
}
