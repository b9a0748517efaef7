/* sys.text -- what Lua's string library lacks. */
#include <lauxlib.h>

#include "base/distance.h"
#include "json/utf8.h"
#include "sys/sys.h"

/* The characters, as far as there is room; how many there are, or more than the room. Of
 * a text that is not UTF-8, its bytes. */
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

static const luaL_Reg text_funcs[] = { { "distance", text_distance }, { NULL, NULL } };

int luaopen_sys_text(lua_State *L)
{
    luaL_newlib(L, text_funcs);
    return 1;
}
