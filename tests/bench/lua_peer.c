/* The peer that figures.py judges by: a server that is a plain Lua script (peer.lua), on the Lua
 * that Perigee is built with and without anything of Perigee. It reads files, compiles them and
 * runs them for the first time as Perigee does, so a processor whose caches are small or shared
 * slows both. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    int failed;

    if (!L || argc < 2)
        return 2;
    luaL_openlibs(L);
    failed = luaL_loadfile(L, argv[1]);
    for (int i = 2; i < argc; i++)
        lua_pushstring(L, argv[i]);
    failed = failed || lua_pcall(L, argc - 2, 0, 0);
    if (failed)
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    lua_close(L);
    return failed;
}
