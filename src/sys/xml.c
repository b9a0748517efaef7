/* sys.xml, the part that is C: readers that turn parts of a text into lists of events. */
#include <lauxlib.h>

#include "script/bind.h"
#include "script/packed.h"
#include "sys/sys.h"
#include "xml/xml.h"

#define READER "sys.xml.Reader"

enum { PART_MAX = 1 << 20 }; /* a part is read without a break */

struct reader {
    const struct xml_ops *ops; /* NULL: `xml` is, too */
    struct xml *xml;           /* owned */
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
    reader->ops = xml_get(&err);
    reader->xml = reader->ops ? reader->ops->new (texts, &err) : NULL;
    return reader->xml ? 1 : bind_error(L, &err);
}

static int reader_gc(lua_State *L)
{
    struct reader *reader = check_reader(L);

    if (reader->xml)
        reader->ops->free(reader->xml);
    buf_free(&reader->events);
    *reader = (struct reader){ 0 };
    return 0;
}

/* reader:feed(part, last) */
static int reader_feed(lua_State *L)
{
    struct reader *reader = check_reader(L);
    bool last = lua_toboolean(L, 3), ok;
    struct error err;
    struct str part;

    part.ptr = luaL_checklstring(L, 2, &part.len);
    luaL_argcheck(L, part.len <= PART_MAX, 2, "at most 1 MB");
    reader->events.len = 0;
    ok = reader->ops->feed(reader->xml, part, last, &reader->events, &err);
    return ok ? packed_push_list(L, buf_str(&reader->events)) : bind_error(L, &err);
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
