#include "sys/shared/policy_runs.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "registry/call/call_struct.h"
#include "registry/call/handle.h"
#include "script/bind.h"

/* Is a name of this length in the list, which has one a line? */
static bool list_has(const char *list, const char *name, size_t len)
{
    for (const char *end; *list; list = *end ? end + 1 : end) {
        end = list + strcspn(list, "\n");
        if ((size_t)(end - list) == len && memcmp(list, name, len) == 0)
            return true;
    }
    return false;
}

/* Leaves those names in the list that the other one has, too. */
static void list_keep_common(char *list, const char *other)
{
    char *to = list, *from = list;

    while (*from) {
        size_t len = strcspn(from, "\n"), whole = len + (from[len] == '\n');

        if (list_has(other, from, len)) {
            if (to > list)
                *to++ = '\n';
            memmove(to, from, len);
            to += len;
        }
        from += whole;
    }
    *to = '\0';
}

/* `senders`: those of more text; NULL: none. */
static void list_narrow(char **list, const char *senders)
{
    if (!*list)
        *list = mem_strdup(senders ? senders : "");
    else
        list_keep_common(*list, senders ? senders : "");
}

static void mark_add(struct call_mark *mark, unsigned sources, const char *servers,
                     const char *site)
{
    mark->sources |= sources;
    if (sources & FROM_MOUNT)
        list_narrow(&mark->by, servers);
    if (sources & FROM_WEB)
        list_narrow(&mark->site, site);
}

static void mark_add_mark(struct call_mark *mark, const struct call_mark *other)
{
    mark_add(mark, other->sources, other->by, other->site);
}

static void mark_free(struct call_mark *mark)
{
    free(mark->by);
    free(mark->site);
}

static void push_first(lua_State *L, const char *servers)
{
    if (servers && *servers)
        lua_pushlstring(L, servers, strcspn(servers, "\n"));
    else
        lua_pushnil(L);
}

void policy_runs_read(struct call *call, unsigned sources, const char *server, const char *site)
{
    for (; call; call = call_parent(call)) {
        mark_add(&call->read, sources, server, site);
        if (call->runs)
            mark_add(&call->given, sources, server, site);
    }
}

/* sys.policy.brings(call, sources[, reads[, server[, site]]]): bits of enum content_source */
static int policy_brings(lua_State *L)
{
    struct call *call = call_check(L);
    unsigned sources = (unsigned)luaL_checkinteger(L, 2);
    const char *server = luaL_optstring(L, 4, NULL), *site = luaL_optstring(L, 5, NULL);

    if (call)
        call->from |= sources;
    if (lua_toboolean(L, 3))
        policy_runs_read(call, sources, server, site);
    return 0;
}

/* sys.policy.brought(call) -> the sources of what it was given as a run, or has read by its calls,
 * a mounted server that sent all of it, and the host on the web; 0 after a refusal, which its
 * result repeats */
static int policy_brought(lua_State *L)
{
    struct call *call = call_check(L);
    struct call_mark all = { 0 };

    if (call && !call->effects.refused_below) {
        mark_add_mark(&all, &call->read);
        mark_add_mark(&all, &call->given);
    }
    lua_pushinteger(L, all.sources);
    push_first(L, all.by);
    push_first(L, all.site);
    mark_free(&all);
    return 3;
}

static bool sent_all(const char *senders, const char *home)
{
    return home && senders && list_has(senders, home, strlen(home));
}

/* sys.policy.given(call[, home]) -> the sources of outside text in what the runs that led to it
 * were given, without text that this server, or this host, sent as well, and a mounted server that
 * sent all of it */
static int policy_given(lua_State *L)
{
    struct call *call = call_check(L);
    const char *home = luaL_optstring(L, 2, NULL);
    struct call_mark all = { 0 };

    for (; call; call = call_parent(call)) {
        const struct call_mark *mark = &call->given;
        unsigned back = (sent_all(mark->by, home) ? FROM_MOUNT : 0) |
                        (sent_all(mark->site, home) ? FROM_WEB : 0);

        mark_add(&all, mark->sources & ~back, mark->by, mark->site);
    }
    lua_pushinteger(L, all.sources);
    push_first(L, all.by);
    mark_free(&all);
    return 2;
}

/* sys.policy.gives(call, sources[, servers]): the call is a run; bits of enum content_source, and
 * the mounted servers, one a line, each of which sent all the text from such servers */
static int policy_gives(lua_State *L)
{
    struct call *call = call_check(L);

    if (call) {
        call->runs = true;
        mark_add(&call->given, (unsigned)luaL_checkinteger(L, 2), luaL_optstring(L, 3, NULL), NULL);
    }
    return 0;
}

/* sys.policy.root(call) -> the number of the outermost call */
static int policy_root(lua_State *L)
{
    struct call *call = call_check(L), *root = call;

    for (; call; call = call_parent(call))
        root = call;
    lua_pushinteger(L, root ? (lua_Integer)root->serial : 0);
    return 1;
}

static const luaL_Reg policy_funcs[] = {
    { "brings", policy_brings }, { "brought", policy_brought }, { "given", policy_given },
    { "gives", policy_gives },   { "root", policy_root },       { NULL, NULL },
};

void policy_add_runs(lua_State *L)
{
    luaL_setfuncs(L, policy_funcs, 0);
}
