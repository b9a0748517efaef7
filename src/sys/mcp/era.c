/* sys.mcp -- the era that the server at an address spoke when we last met. */
#include <lauxlib.h>

#include "base/log.h"
#include "script/vm.h"
#include "sys/mcp/connection.h"

static const char eras_key;

static void push_eras(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &eras_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &eras_key);
}

/* Asking costs an exchange: once is enough. A pinned era stays. */
void lua_mcp_recall_era(lua_State *L, struct lua_mcp_spec *spec)
{
    if (!spec->http.url || spec->options.era != CLIENT_AUTO)
        return;
    push_eras(L);
    lua_getfield(L, -1, spec->http.url);
    spec->options.era = (enum client_era)lua_tointeger(L, -1); /* nil: 0, CLIENT_AUTO */
    lua_pop(L, 2);
}

/* (session): its client is NULL when it came to nothing */
static int note_era(lua_State *L)
{
    const struct lua_mcp *session = lua_touserdata(L, 1);

    push_eras(L);
    if (session->client)
        lua_pushinteger(L, client_era(session->client));
    else
        lua_pushnil(L);
    lua_setfield(L, -2, session->url);
    return 0;
}

void lua_mcp_remember_era(struct lua_mcp *session)
{
    lua_State *L = session->vm ? vm_lua(session->vm) : NULL;

    if (session->url && L && !lua_mcp_push(session->vm, L, note_era, session, 0, NULL))
        log_debug("%s: no memory for its era", session->name);
}
