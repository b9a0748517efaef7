/* sys.env -- single variables of the environment; there is no way to list them. */
#include <lauxlib.h>
#include <stdlib.h>

#include "files/dotenv.h"
#include "sys/sys.h"

/* sys.env.get(name [, default]) -> text | default | nil */
static int env_get(lua_State *L)
{
    const char *value = getenv(luaL_checkstring(L, 1));

    if (!value || !*value) {
        lua_settop(L, 2);
        return 1;
    }
    lua_pushstring(L, value);
    return 1;
}

/* sys.env.value(name) -> text | nil; an empty one is one */
static int env_value(lua_State *L)
{
    lua_pushstring(L, getenv(luaL_checkstring(L, 1))); /* NULL pushes nil */
    return 1;
}

/* sys.env.file() -> path | nil, taken | nil, left | nil, refused | nil */
static int env_file(lua_State *L)
{
    lua_pushstring(L, dotenv_here.path);
    lua_pushstring(L, dotenv_here.taken);
    lua_pushstring(L, dotenv_here.left);
    lua_pushstring(L, dotenv_here.refused);
    return 4;
}

static const luaL_Reg env_funcs[] = {
    { "file", env_file }, { "get", env_get }, { "value", env_value }, { NULL, NULL }
};

int luaopen_sys_env(lua_State *L)
{
    luaL_newlib(L, env_funcs);
#ifdef __APPLE__
    lua_pushliteral(L, "macos");
#else
    lua_pushliteral(L, "linux");
#endif
    lua_setfield(L, -2, "platform");
    return 1;
}
