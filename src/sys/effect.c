/* sys.effect -- effects that a library tells of by itself, because no binding sees what they are: a
 * mail that is sent by requests, a file that an application is to open or save, a question to a
 * model, a change of what Perigee does. Each function does nothing but pass the judge of effects
 * (effects.c). */
#include <lauxlib.h>

#include "sys/sys.h"

static int effect_pass(lua_State *L)
{
    lua_pushboolean(L, 1);
    return 1;
}

static const luaL_Reg effect_funcs[] = {
    { "choose_file", effect_pass }, { "mail", effect_pass }, { "model", effect_pass },
    { "settings", effect_pass },    { NULL, NULL },
};

int luaopen_sys_effect(lua_State *L)
{
    luaL_newlib(L, effect_funcs);
    return 1;
}
