/* The table that Lua knows a caller by is made when it is first asked for. */
#include "registry/call/caller.h"

#include <lauxlib.h>
#include <stdlib.h>

struct caller {
    int refs;
    struct vm *vm;
    enum caller_kind kind;
    char *name, *subject, *owner;
    unsigned id;
    int table; /* a reference, or LUA_NOREF */
};

static enum caller_kind usual = CALLER_TERMINAL;
static unsigned last_id;

struct caller *caller_new(struct vm *vm, enum caller_kind kind, const char *name,
                          const char *subject)
{
    struct caller *caller = mem_zero(sizeof *caller);

    *caller = (struct caller){ .refs = 1,
                               .vm = vm,
                               .kind = kind,
                               .name = name ? mem_strdup(name) : NULL,
                               .subject = subject ? mem_strdup(subject) : NULL,
                               .id = ++last_id,
                               .table = LUA_NOREF };
    return caller;
}

struct caller *caller_ref(struct caller *caller)
{
    caller->refs++;
    return caller;
}

void caller_unref(struct caller *caller)
{
    if (!caller || --caller->refs > 0)
        return;
    luaL_unref(vm_lua(caller->vm), LUA_REGISTRYINDEX, caller->table);
    free(caller->name);
    free(caller->subject);
    free(caller->owner);
    free(caller);
}

void caller_own(struct caller *caller, char *owner)
{
    free(caller->owner);
    caller->owner = owner;
}

void caller_set_default(enum caller_kind kind)
{
    usual = kind;
}

enum caller_kind caller_default(void)
{
    return usual;
}

enum caller_kind caller_kind(const struct caller *caller)
{
    return caller->kind;
}

const char *caller_name(const struct caller *caller)
{
    return caller->name;
}

const char *caller_subject(const struct caller *caller)
{
    return caller->subject;
}

const char *caller_owner(const struct caller *caller)
{
    return caller->owner ? caller->owner : caller_kind_name(caller->kind);
}

const char *caller_kind_name(enum caller_kind kind)
{
    static const char *const names[] = { "terminal", "script", "engine", "agent",
                                         "client",   "http",   "oauth" };

    return names[kind];
}

unsigned caller_id(const struct caller *caller)
{
    return caller ? caller->id : 0;
}

void caller_push(struct caller *caller, lua_State *L)
{
    if (caller->table == LUA_NOREF) {
        lua_createtable(L, 0, 5); /* t */
        lua_pushstring(L, caller_kind_name(caller->kind));
        lua_setfield(L, -2, "kind");
        lua_pushstring(L, caller->name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, caller->subject);
        lua_setfield(L, -2, "subject");
        lua_pushstring(L, caller_owner(caller));
        lua_setfield(L, -2, "owner");
        lua_pushinteger(L, caller->id);
        lua_setfield(L, -2, "id");
        caller->table = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, caller->table);
}
