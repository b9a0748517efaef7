/* sys.xml, the part that is C: readers that turn parts of a text into lists of events. */
#include <lauxlib.h>

#include "script/bind.h"
#include "sys/sys.h"
#include "xml/xml.h"

#define READER "sys.xml.Reader"

enum { PART_MAX = 1 << 20 }; /* a part is read without a break */

struct reader {
    struct xml *xml; /* owned */
    struct buf events;
};

static struct reader *check_reader(lua_State *L)
{
    return luaL_checkudata(L, 1, READER);
}

/* sys.xml.reader(texts) */
static int xml_reader(lua_State *L)
{
    bool texts = lua_toboolean(L, 1);
    struct reader *reader = lua_newuserdatauv(L, sizeof *reader, 0);
    struct error err;

    *reader = (struct reader){ 0 };
    luaL_setmetatable(L, READER);
    reader->xml = xml_new(texts, &err);
    return reader->xml ? 1 : bind_error(L, &err);
}

static int reader_gc(lua_State *L)
{
    struct reader *reader = check_reader(L);

    xml_free(reader->xml);
    buf_free(&reader->events);
    *reader = (struct reader){ 0 };
    return 0;
}

static const char *push_string(lua_State *L, const char *at)
{
    size_t len = strlen(at);

    lua_pushlstring(L, at, len);
    return at + len + 1;
}

/* Pushes a table of the attributes that begin here, or false if there are none. */
static const char *push_attributes(lua_State *L, const char *at)
{
    if (*at == XML_END) {
        lua_pushboolean(L, 0);
        return at + 1;
    }
    lua_newtable(L); /* attributes */
    while (*at == XML_ATTRIBUTE) {
        at = push_string(L, at + 1);
        at = push_string(L, at);
        lua_rawset(L, -3);
    }
    return at + 1;
}

/* Pushes the three values of the event that begins here: see lua/types/sys/xml.lua. */
static const char *push_event(lua_State *L, const char *at)
{
    char kind = *at++;

    switch (kind) {
    case XML_OPEN:
        at = push_string(L, at);
        at = push_string(L, at);
        return push_attributes(L, at);
    case XML_TEXT:
        lua_pushboolean(L, 1);
        at = push_string(L, at);
        break;
    default: /* XML_CLOSE */
        lua_pushboolean(L, 0);
        lua_pushboolean(L, 0);
    }
    lua_pushboolean(L, 0);
    return at;
}

/* reader:feed(part, last) */
static int reader_feed(lua_State *L)
{
    struct reader *reader = check_reader(L);
    bool last = lua_toboolean(L, 3), ok;
    lua_Integer n = 0;
    struct error err;
    struct str part;

    part.ptr = luaL_checklstring(L, 2, &part.len);
    luaL_argcheck(L, part.len <= PART_MAX, 2, "at most 1 MB");
    reader->events.len = 0;
    ok = xml_feed(reader->xml, part, last, &reader->events, &err);
    if (!ok)
        return bind_error(L, &err);
    lua_newtable(L); /* events */
    for (const char *at = reader->events.data, *end = at + reader->events.len; at < end; n += 3) {
        at = push_event(L, at);
        for (int i = 3; i >= 1; i--)
            lua_rawseti(L, -1 - i, n + i);
    }
    return 1;
}

static const luaL_Reg reader_methods[] = { { "feed", reader_feed }, { NULL, NULL } };
static const luaL_Reg xml_funcs[] = { { "reader", xml_reader }, { NULL, NULL } };

int luaopen_sys_xml(lua_State *L)
{
    static const luaL_Reg reader_meta[] = { { "__gc", reader_gc }, { NULL, NULL } };

    bind_metatable(L, READER, reader_meta, reader_methods);
    luaL_newlib(L, xml_funcs);
    return 1;
}
