/* sys.text, the part that is in C. */
#include <lauxlib.h>
#include <limits.h>

#include "base/distance.h"
#include "base/unicode.h"
#include "json/line.h"
#include "json/pattern/regex.h"
#include "json/utf8.h"
#include "script/bind.h"
#include "script/show.h"
#include "sys/sys.h"

/* Reads the characters that there is room for, or the bytes of a text that is not UTF-8. Returns
 * their number, which is more than the room if there are more. */
static size_t check_characters(lua_State *L, int arg, uint32_t out[DISTANCE_NAME])
{
    size_t len, count = 0;
    const char *at = luaL_checklstring(L, arg, &len), *end = at + len;
    bool valid = len <= (size_t)4 * DISTANCE_NAME && utf8_valid(at, len, NULL);

    for (; at < end && count < DISTANCE_NAME; count++) {
        int size = valid ? utf8_sequence(at, end) : 1;

        out[count] = valid ? utf8_decode(at, size) : (unsigned char)*at;
        at += size;
    }
    return count + (size_t)(end - at);
}

static int text_distance(lua_State *L)
{
    uint32_t a[DISTANCE_NAME], b[DISTANCE_NAME];
    size_t a_len = check_characters(L, 1, a), b_len = check_characters(L, 2, b);
    lua_Integer most = luaL_optinteger(L, 3, DISTANCE_NAME);
    size_t apart = edit_distance(a, a_len, b, b_len);

    if (apart == DISTANCE_FAR || (lua_Integer)apart > most)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)apart);
    return 1;
}

enum { MATCHES_MAX = 256 };

/* Checks the texts before a pattern is held, since nothing may raise while it is. */
static lua_Integer check_texts(lua_State *L)
{
    lua_Integer count;

    luaL_checktype(L, 1, LUA_TTABLE);
    count = (lua_Integer)lua_rawlen(L, 1);
    luaL_argcheck(L, count <= MATCHES_MAX, 1, "at most 256 strings");
    for (lua_Integer i = 1; i <= count; i++) {
        luaL_argcheck(L, lua_rawgeti(L, 1, i) == LUA_TSTRING, 1, "list of strings expected");
        lua_pop(L, 1);
    }
    return count;
}

static bool match_each(lua_State *L, const struct regex *regex, lua_Integer count,
                       struct error *err)
{
    for (lua_Integer i = 1; i <= count; i++) {
        enum regex_result result;
        const char *text;
        size_t len;

        lua_rawgeti(L, 1, i); /* found, text */
        text = lua_tolstring(L, -1, &len);
        result = regex_match(regex, text, len, err);
        lua_pop(L, 1);
        if (result == REGEX_ERROR)
            return false;
        lua_pushboolean(L, result == REGEX_YES);
        lua_rawseti(L, -2, i);
    }
    return true;
}

static int text_matches(lua_State *L)
{
    lua_Integer count = check_texts(L);
    struct regex *regex;
    struct error err;
    const char *pattern;
    size_t len;
    bool ok;

    pattern = luaL_checklstring(L, 2, &len);
    lua_createtable(L, (int)count, 0); /* found */
    regex = regex_compile(pattern, len, &err);
    ok = regex && match_each(L, regex, count, &err);
    regex_free(regex);
    return ok ? 1 : bind_error(L, &err);
}

/* Returns the text itself if it is plain already, as most texts are. */
static int text_plain(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);
    luaL_Buffer out;

    if (line_is_clean(text, len)) {
        lua_settop(L, 1);
        return 1;
    }
    luaL_buffinitsize(L, &out, len);
    luaL_pushresultsize(&out, line_clean(luaL_buffaddr(&out), text, len));
    return 1;
}

/* sys.text.inspect(value [, {depth =, items =, width =, bytes =, hide =}]) */
static int text_inspect(lua_State *L)
{
    static const char *const names[] = { "depth", "items", "width", "bytes", "hide", NULL };
    struct show_limits limits = { 0 };
    struct buf *shown;

    luaL_checkany(L, 1);
    lua_settop(L, 2);
    if (!lua_isnil(L, 2)) {
        bind_check_fields(L, 2, names);
        limits.depth = (int)bind_number(L, 2, "depth", 0, 0, SHOW_DEPTH_MAX);
        limits.items = (int)bind_number(L, 2, "items", 0, 0, 10000);
        limits.width = (int)bind_number(L, 2, "width", 0, 0, INT_MAX);
        limits.bytes = (int)bind_number(L, 2, "bytes", 0, 0, SHOW_BYTES);
        if (lua_getfield(L, 2, "hide") != LUA_TNIL) {
            if (!lua_isfunction(L, 3))
                return bind_field_error(L, 2, "hide", "function expected");
            limits.hide = 3;
        }
    }
    shown = bind_buffer(L);
    show_value(L, 1, &limits, shown);
    lua_pushlstring(L, shown->data, shown->len);
    buf_free(shown);
    return 1;
}

static int text_convert(lua_State *L)
{
    static const char *const forms[] = { [UNICODE_LOWER] = "lower", [UNICODE_UPPER] = "upper",
                                         [UNICODE_FOLD] = "fold",   [UNICODE_NFC] = "NFC",
                                         [UNICODE_NFD] = "NFD",     [UNICODE_NFKC] = "NFKC",
                                         [UNICODE_NFKD] = "NFKD",   NULL };
    enum unicode_form form = (enum unicode_form)luaL_checkoption(L, 2, NULL, forms);
    struct str text;
    struct buf *out;
    struct error err;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    out = bind_buffer(L);
    if (!unicode_convert(out, text, form, &err))
        return bind_error(L, &err);
    lua_pushlstring(L, out->data ? out->data : "", out->len);
    return 1;
}

static size_t check_most(lua_State *L, int arg)
{
    lua_Integer most = luaL_optinteger(L, arg, LUA_MAXINTEGER);

    luaL_argcheck(L, most >= 0, arg, "expected 0 or more");
    return (size_t)most;
}

enum { WALK_BYTES = 32 * 1024 }; /* length of a stretch, so that others have their turns */

static int text_walk(lua_State *L)
{
    struct unicode_extent walked, most = { WALK_BYTES, check_most(L, 3), check_most(L, 4) };
    lua_Integer at = luaL_checkinteger(L, 2);
    struct str text;
    struct error err;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    luaL_argcheck(L, at >= 1 && (size_t)at <= text.len + 1, 2, "not a place in the text");
    text.ptr += at - 1;
    text.len -= (size_t)at - 1;
    if (!unicode_walk(text, &most, &walked, &err))
        return bind_error(L, &err);
    lua_pushinteger(L, at + (lua_Integer)walked.bytes);
    lua_pushinteger(L, (lua_Integer)walked.characters);
    lua_pushinteger(L, (lua_Integer)walked.columns);
    return 3;
}

static const luaL_Reg text_funcs[] = { { "convert", text_convert },
                                       { "distance", text_distance },
                                       { "inspect", text_inspect },
                                       { "matches", text_matches },
                                       { "plain", text_plain },
                                       { "walk", text_walk },
                                       { NULL, NULL } };

int luaopen_sys_text(lua_State *L)
{
    luaL_newlib(L, text_funcs);
    return 1;
}
