#include "sys/http/hop.h"

#include <lauxlib.h>

/* { url, method, headers, redirected = the request at 1, from = the URL that redirects } */
static void push_next(lua_State *L, const struct http_request *next, const char *from)
{
    lua_createtable(L, 0, 5);
    lua_pushstring(L, from);
    lua_setfield(L, -2, "from");
    lua_pushstring(L, next->url);
    lua_setfield(L, -2, "url");
    lua_pushstring(L, next->method);
    lua_setfield(L, -2, "method");
    lua_createtable(L, 0, (int)next->headers.count);
    for (size_t i = 0; i < next->headers.count; i++) {
        lua_pushstring(L, next->headers.items[i].value);
        lua_setfield(L, -2, next->headers.items[i].name);
    }
    lua_setfield(L, -2, "headers");
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "redirected");
}

int hop_call(lua_State *L, const struct http_fetch *http, lua_KFunction after)
{
    const char *from;
    struct http_request next = http_fetch_sent(http, &from);
    lua_Debug here;

    lua_settop(L, 2);
    luaL_checkstack(L, 8, NULL);
    lua_getstack(L, 0, &here);
    lua_getinfo(L, "f", &here);
    push_next(L, &next, from);
    lua_pushvalue(L, 2);
    lua_callk(L, 2, LUA_MULTRET, 0, after);
    return after(L, LUA_OK, 0);
}
