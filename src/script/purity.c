/* A set of functions, and a flag of the main state. */
#include "script/purity.h"

#include <lauxlib.h>

#include "script/budget.h"
#include "script/vm_struct.h"

static const char functions; /* registry[&functions] = { [function] = true } */

void purity_watch(struct vm *vm)
{
    vm->main.watch.purity = true;
    vm->main.watch.impure = false;
    pace_reset(&vm->main);
}

bool purity_end(struct vm *vm)
{
    vm->main.watch.purity = false;
    pace_reset(&vm->main);
    return !vm->main.watch.impure;
}

bool purity_watched(lua_State *L)
{
    return task_of(L)->watch.purity;
}

void purity_spoil(lua_State *L)
{
    task_of(L)->watch.impure = true;
}

bool purity_enter(lua_State *L)
{
    struct task *task = task_of(L);
    bool before = task->watch.impure;

    task->watch.impure = false;
    return before;
}

bool purity_leave(lua_State *L, bool before)
{
    struct task *task = task_of(L);
    bool pure = task->watch.purity && !task->watch.impure;

    task->watch.impure = before || !pure;
    return pure;
}

static void push_functions(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &functions) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &functions);
}

void purity_add(lua_State *L)
{
    push_functions(L); /* f, set */
    lua_insert(L, -2); /* set, f */
    lua_pushboolean(L, 1);
    lua_rawset(L, -3); /* set */
    lua_pop(L, 1);
}

void purity_add_module(lua_State *L, const char *name)
{
    static const char *const pure[] = { "sys.json", "sys.regex", "sys.text", "sys.xml" };
    int module = lua_gettop(L);

    for (size_t i = 0; i < countof(pure); i++)
        if (strcmp(pure[i], name) == 0)
            return;
    for (lua_pushnil(L); lua_next(L, module);) { /* key, value */
        if (lua_isfunction(L, -1))
            purity_add(L);
        else
            lua_pop(L, 1);
    }
}

void purity_on_call(lua_State *L, lua_Debug *ar)
{
    lua_getinfo(L, "f", ar); /* f */
    if (lua_iscfunction(L, -1)) {
        push_functions(L);    /* f, set; it was made by those who added */
        lua_pushvalue(L, -2); /* f, set, f */
        if (lua_rawget(L, -2) == LUA_TBOOLEAN)
            purity_spoil(L);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}
