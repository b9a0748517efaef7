/* sys.effect -- effects that a library tells of by itself, because no binding sees what they are: a
 * mail that is sent by requests, a file that an application is to open or save, or that a helper
 * process is to write or to move to the trash, a question to a model, a change of what Perigee
 * does. These functions do nothing but pass the judge of effects (effects.c). shows() tells what a
 * result may name. */
#include <lauxlib.h>

#include "registry/call/call_struct.h"
#include "registry/call/gate.h"
#include "script/task.h"
#include "sys/sys.h"

static int effect_pass(lua_State *L)
{
    lua_pushboolean(L, 1);
    return 1;
}

static int effect_shown(lua_State *L, int status, lua_KContext context)
{
    (void)L, (void)status, (void)context;
    return 1;
}

/* sys.effect.shows(tool[, of]) -> boolean */
static int effect_shows(lua_State *L)
{
    struct task *task = task_current(L);
    int told;

    luaL_checkstring(L, 1);
    lua_settop(L, 2);
    told = task && !task_is_own(task) ? gate_push_seeing(L, call_above(task)) : 0;
    if (!told)
        return effect_pass(L);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_callk(L, told + 1, 1, 0, effect_shown);
    return effect_shown(L, LUA_OK, 0);
}

static const luaL_Reg effect_funcs[] = {
    { "choose_file", effect_pass }, { "mail", effect_pass },
    { "model", effect_pass },       { "save_file", effect_pass },
    { "settings", effect_pass },    { "shows", effect_shows },
    { "trash", effect_pass },       { NULL, NULL },
};

int luaopen_sys_effect(lua_State *L)
{
    luaL_newlib(L, effect_funcs);
    return 1;
}
