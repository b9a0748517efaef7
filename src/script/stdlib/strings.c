/* string.find, match, gmatch and rep.
 *
 * A search takes its breaks between two places of the text, so all there is to
 * remember is where to go on, the context of the continuation, and how much it has worked, which
 * stands behind its arguments. */
#include "script/stdlib/strings.h"

#include <lauxlib.h>
#include <limits.h>

/* --- find and match -------------------------------------------------------------- */

bool strings_match(lua_State *L, struct pattern_match *match)
{
    struct str text, pattern;
    bool anchored;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    pattern.ptr = luaL_checklstring(L, 2, &pattern.len);
    anchored = pattern.ptr[0] == '^';
    if (anchored) {
        pattern.ptr++;
        pattern.len--;
    }
    match_init(match, L, text, pattern);
    return anchored;
}

/* Where in a text of this length a search begins that was told to begin at argument 3. */
static size_t start_of(lua_State *L, size_t len)
{
    lua_Integer pos = luaL_optinteger(L, 3, 1);

    if (pos > 0)
        return (size_t)pos - 1;
    if (pos == 0 || pos < -(lua_Integer)len)
        return 0;
    return len - (size_t)-pos;
}

enum { AT_STEPS = 5 };

static int find_string_on(lua_State *L, int status, lua_KContext at);
static int match_string_on(lua_State *L, int status, lua_KContext at);

static int take_break(struct pattern_match *match, const char *at, lua_KFunction on)
{
    lua_State *L = match->budget.L;

    lua_settop(L, AT_STEPS - 1);
    lua_pushinteger(L, (lua_Integer)match_steps(match));
    return lua_yieldk(L, 0, at - match->text, on);
}

static int search_string(lua_State *L, size_t at, bool find)
{
    struct pattern_match match;
    bool anchored = strings_match(L, &match);
    const char *end, *start = match.text + at;

    if (lua_gettop(L) == AT_STEPS)
        match.before = (uint64_t)lua_tointeger(L, AT_STEPS);
    for (; start <= match.text_end; start++) {
        if (match.budget.over)
            return take_break(&match, start, find ? find_string_on : match_string_on);
        end = match_at(&match, start);
        if (end && !find)
            return match_push_all(&match, start, end);
        if (end) {
            lua_pushinteger(L, start - match.text + 1);
            lua_pushinteger(L, end - match.text);
            return match_push_all(&match, NULL, NULL) + 2;
        }
        if (anchored)
            break;
    }
    luaL_pushfail(L);
    return 1;
}

static int find_string_on(lua_State *L, int status, lua_KContext at)
{
    (void)status;
    return search_string(L, (size_t)at, true);
}

static int match_string_on(lua_State *L, int status, lua_KContext at)
{
    (void)status;
    return search_string(L, (size_t)at, false);
}

static int find_plain_on(lua_State *L, int status, lua_KContext at)
{
    struct str text, pattern;
    struct pattern_match match;
    const char *found;

    (void)status;
    text.ptr = lua_tolstring(L, 1, &text.len);
    pattern.ptr = lua_tolstring(L, 2, &pattern.len);
    match_init(&match, L, text, pattern);
    found = match_plain(&match, text.ptr + at);
    if (match.budget.over)
        return lua_yieldk(L, 0, found - text.ptr, find_plain_on);
    if (!found) {
        luaL_pushfail(L);
        return 1;
    }
    lua_pushinteger(L, found - text.ptr + 1);
    lua_pushinteger(L, found - text.ptr + (lua_Integer)pattern.len);
    return 2;
}

static int string_find(lua_State *L)
{
    struct str text, pattern;
    size_t at;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    pattern.ptr = luaL_checklstring(L, 2, &pattern.len);
    at = start_of(L, text.len);
    lua_settop(L, AT_STEPS - 1);
    if (at > text.len) {
        luaL_pushfail(L);
        return 1;
    }
    if (lua_toboolean(L, 4) || pattern_is_plain(pattern))
        return find_plain_on(L, LUA_OK, (lua_KContext)at);
    return search_string(L, at, true);
}

static int string_match(lua_State *L)
{
    size_t len, at;

    luaL_checklstring(L, 1, &len);
    luaL_checkstring(L, 2);
    at = start_of(L, len);
    lua_settop(L, AT_STEPS - 1);
    if (at <= len)
        return search_string(L, at, false);
    luaL_pushfail(L);
    return 1;
}

/* --- gmatch ---------------------------------------------------------------------- */

/* Upvalues of the iterator: text, pattern, this. */
struct gmatch {
    const char *at;   /* where it goes on */
    const char *last; /* where the last match ended, which an empty one cannot do again */
    struct pattern_match match;
};

enum { FIRST, AGAIN };

static int gmatch_on(lua_State *L, int status, lua_KContext context)
{
    struct gmatch *gmatch = lua_touserdata(L, lua_upvalueindex(3));
    struct pattern_match *match = &gmatch->match;

    (void)status;
    if (context == FIRST)
        match->before = 0;
    match->budget = (struct budget){ .L = L };
    while (gmatch->at <= match->text_end) {
        const char *start = gmatch->at;
        const char *end = match_at(match, start);

        if (end && end != gmatch->last) {
            gmatch->at = gmatch->last = end;
            return match_push_all(match, start, end);
        }
        gmatch->at = start + 1;
        if (match->budget.over) {
            match->before = match_steps(match);
            return lua_yieldk(L, 0, AGAIN, gmatch_on);
        }
    }
    return 0;
}

static int gmatch_next(lua_State *L)
{
    return gmatch_on(L, LUA_OK, FIRST);
}

/* A "^" means nothing to it: it is a character like any other. */
static int string_gmatch(lua_State *L)
{
    struct str text, pattern;
    struct gmatch *gmatch;
    size_t at;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    pattern.ptr = luaL_checklstring(L, 2, &pattern.len);
    at = start_of(L, text.len);
    lua_settop(L, 2);
    gmatch = lua_newuserdatauv(L, sizeof *gmatch, 0);
    match_init(&gmatch->match, L, text, pattern);
    gmatch->at = text.ptr + (at > text.len ? text.len + 1 : at);
    gmatch->last = NULL;
    lua_pushcclosure(L, gmatch_next, 3);
    return 1;
}

/* --- rep -------------------------------------------------------------------------- */

/* Fills `total` bytes with the first `done` of them, over and over. */
static void repeat_bytes(char *to, size_t done, size_t total)
{
    while (done < total) {
        size_t more = done < total - done ? done : total - done;

        memcpy(to + done, to, more);
        done += more;
    }
}

/* Lua's own copies one by one, and counts to n even if there is nothing to copy. */
static int string_rep(lua_State *L)
{
    struct str text, between;
    lua_Integer n;
    luaL_Buffer result;
    size_t unit, total;
    char *to;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    n = luaL_checkinteger(L, 2);
    between.ptr = luaL_optlstring(L, 3, "", &between.len);
    unit = text.len + between.len;
    if (n <= 0 || unit == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (unit > (size_t)INT_MAX / (lua_Unsigned)n)
        return luaL_error(L, "resulting string too large");
    total = unit * (size_t)n - between.len;
    to = luaL_buffinitsize(L, &result, total);
    memcpy(to, text.ptr, text.len);
    if (n > 1) {
        memcpy(to + text.len, between.ptr, between.len);
        repeat_bytes(to, unit, total);
    }
    luaL_pushresultsize(&result, total);
    return 1;
}

void strings_set(lua_State *L)
{
    static const luaL_Reg funcs[] = { { "find", string_find },     { "match", string_match },
                                      { "gmatch", string_gmatch }, { "gsub", strings_gsub },
                                      { "rep", string_rep },       { NULL, NULL } };

    luaL_setfuncs(L, funcs, 0);
}
