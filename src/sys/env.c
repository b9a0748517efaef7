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

static void set_text(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value); /* NULL pushes nil */
    lua_setfield(L, -2, key);
}

/* sys.env.file() -> {path =, taken =, ignored =, refused =} | nil */
static int env_file(lua_State *L)
{
    struct dotenv found = dotenv_here();

    if (!found.path)
        return 0;
    lua_createtable(L, 0, 4);
    set_text(L, "path", found.path);
    set_text(L, "taken", found.taken);
    set_text(L, "ignored", found.ignored);
    set_text(L, "refused", found.refused);
    return 1;
}

/* sys.env.of_directory(name) -> boolean */
static int env_of_directory(lua_State *L)
{
    lua_pushboolean(L, dotenv_of_directory(luaL_checkstring(L, 1)));
    return 1;
}

static const luaL_Reg env_funcs[] = {
    { "file", env_file }, { "get", env_get }, { "of_directory", env_of_directory }, { NULL, NULL }
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
