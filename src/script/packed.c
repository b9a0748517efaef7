/* The packed form, written and read depth first. */
#include "script/packed.h"

#include <lauxlib.h>

#include "base/packed_tags.h"
#include "json/digits.h"
#include "json/document.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/written_digits.h"

enum marker { MARKED_NOT, MARKED_ARRAY, MARKED_OBJECT, MARKED_ORDERED };

/* --- writing -------------------------------------------------------------------------- */

struct pack {
    lua_State *L;
    struct buf *out;
    struct error *err;
    size_t values, number_keys, digits;
    size_t most; /* length of `out` beyond which it is too much */
    int written; /* index of the digits that the table being packed remembers; 0: none */
};

static bool pack_value(struct pack *pack, int index, int depth);

static bool pack_refuse(const struct pack *pack, const char *what)
{
    return error_set(pack->err, "not_plain",
                     "%s cannot be handed over: use strings, numbers, booleans and tables", what);
}

static bool pack_count(struct pack *pack, int key)
{
    if (lua_type(pack->L, key) == LUA_TNUMBER && ++pack->number_keys > PACKED_NUMBER_KEYS)
        return pack_refuse(pack, "a table with thousands of numbers as keys (and not a list)");
    return true;
}

static enum marker pack_marker(lua_State *L, int index)
{
    if (value_push_order(L, index))
        return MARKED_ORDERED; /* the order is on the stack */
    if (value_is_marked_array(L, index))
        return MARKED_ARRAY;
    return value_is_marked_object(L, index) ? MARKED_OBJECT : MARKED_NOT;
}

/* The value on top of the stack, whose key is below it. */
static bool pack_inner(struct pack *pack, int depth)
{
    int value = lua_gettop(pack->L);
    struct str digits = written_digits_of(pack->L, pack->written, value - 1, value);

    if (!digits.len || ++pack->digits > PACKED_DIGITS)
        return pack_value(pack, value, depth + 1);
    buf_addc(pack->out, TAG_DIGITS);
    bytes_double(pack->out, lua_tonumber(pack->L, value));
    bytes_str(pack->out, digits);
    return true;
}

static bool pack_items(struct pack *pack, int index, lua_Integer count, int depth)
{
    bytes_u32(pack->out, (uint32_t)count);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_pushinteger(pack->L, i);
        lua_rawgeti(pack->L, index, i); /* i, value */
        if (!pack_inner(pack, depth))
            return false;
        lua_pop(pack->L, 2);
    }
    return true;
}

/* The members that are no items of the list 1..count. */
static bool pack_pairs(struct pack *pack, int index, lua_Integer count, int depth)
{
    lua_State *L = pack->L;
    size_t at = pack->out->len;
    uint32_t pairs = 0;

    bytes_u32(pack->out, 0);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) { /* key, value */
        int key = lua_gettop(L) - 1;

        if (lua_isinteger(L, key) && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= count)
            continue;
        if (!pack_count(pack, key) || !pack_value(pack, key, depth + 1) || !pack_inner(pack, depth))
            return false;
        pairs++;
    }
    bytes_set_u32(pack->out->data + at, pairs);
    return true;
}

static bool pack_table(struct pack *pack, int index, int depth)
{
    lua_State *L = pack->L;
    lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    int order, outer = pack->written;
    enum marker marker;

    if (depth > VALUE_DEPTH)
        return pack_refuse(pack, "a table that is nested too deep, or contains itself,");
    luaL_checkstack(L, 16, "nested too deep");
    written_digits_push(L, index); /* digits */
    pack->written = lua_istable(L, -1) ? lua_gettop(L) : 0;
    marker = pack_marker(L, index); /* order, or nothing */
    order = lua_gettop(L);
    buf_addc(pack->out, TAG_TABLE);
    buf_addc(pack->out, (char)marker);
    if (!pack_items(pack, index, count, depth) || !pack_pairs(pack, index, count, depth))
        return false;
    if (marker == MARKED_ORDERED && !pack_value(pack, order, depth + 1))
        return false;
    pack->written = outer;
    lua_pop(L, marker == MARKED_ORDERED ? 2 : 1);
    return true;
}

static bool pack_number(struct pack *pack, int index)
{
    if (lua_isinteger(pack->L, index))
        packed_add_integer(pack->out, lua_tointeger(pack->L, index));
    else
        packed_add_number(pack->out, lua_tonumber(pack->L, index));
    return true;
}

static bool pack_value(struct pack *pack, int index, int depth)
{
    lua_State *L = pack->L;
    struct str text;

    if (++pack->values > PACKED_VALUES)
        return pack_refuse(pack, "a value of more than 250000 parts");
    if (pack->out->len > pack->most)
        return pack_refuse(pack, "a value of more than 64 MB");
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        buf_addc(pack->out, TAG_NIL);
        return true;
    case LUA_TBOOLEAN:
        buf_addc(pack->out, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE);
        return true;
    case LUA_TNUMBER:
        return pack_number(pack, index);
    case LUA_TSTRING:
        text.ptr = lua_tolstring(L, index, &text.len);
        packed_add_text(pack->out, text);
        return true;
    case LUA_TTABLE:
        return pack_table(pack, index, depth);
    case LUA_TLIGHTUSERDATA:
        if (!lua_touserdata(L, index)) {
            buf_addc(pack->out, TAG_NULL);
            return true;
        }
        return pack_refuse(pack, "a userdata");
    default:
        return pack_refuse(pack, lua_type(L, index) == LUA_TFUNCTION ? "a function" : "a userdata");
    }
}

bool packed_write(lua_State *L, int index, struct buf *out, struct error *err)
{
    struct pack pack = { .L = L, .out = out, .err = err, .most = out->len + PACKED_BYTES };
    int top = lua_gettop(L);
    size_t mark = out->len;
    bool ok;

    luaL_checkstack(L, 8, "no room");
    ok = pack_value(&pack, lua_absindex(L, index), 0);
    lua_settop(L, top);
    if (!ok)
        out->len = mark;
    return ok;
}

bool packed_text(struct str bytes, struct str *text)
{
    struct bytes from = { bytes, false };
    bool is_text = bytes_get_u8(&from) == TAG_STRING;

    *text = bytes_get_str(&from);
    return is_text && !from.bad;
}

/* --- reading --------------------------------------------------------------------------- */

struct unpack {
    struct bytes from;
    size_t values, number_keys, digits;
    struct str text; /* the text of the value that was just pushed; no bytes: it had none */
};

static bool push_value(lua_State *L, struct unpack *unpack, int depth);

/* A key that a table may have; what came from a guest may be anything. */
static bool is_table_key(lua_State *L, struct unpack *unpack, int index)
{
    if (lua_type(L, index) == LUA_TNUMBER)
        return ++unpack->number_keys <= PACKED_NUMBER_KEYS &&
               (lua_isinteger(L, index) || lua_tonumber(L, index) == lua_tonumber(L, index));
    return lua_type(L, index) == LUA_TSTRING || lua_type(L, index) == LUA_TBOOLEAN;
}

/* table[key] = value, both on top of the stack, with the value's digits. */
static void set_member(lua_State *L, struct unpack *unpack)
{
    struct str text = unpack->text;

    unpack->text = (struct str){ NULL, 0 };
    lua_pushvalue(L, -2);
    lua_insert(L, -2); /* table, key, key, value */
    lua_rawset(L, -4); /* table, key */
    if (text.len)
        written_digits_remember(L, text);
    lua_pop(L, 1);
}

/* Data from a guest may be anything, and is written into JSON unchanged: so it is checked here. */
static bool push_digits(lua_State *L, struct unpack *unpack)
{
    double number = bytes_get_double(&unpack->from);
    struct str text = bytes_get_str(&unpack->from);
    struct json_doc *doc;
    const char *digits;
    bool ok;

    if (unpack->from.bad || ++unpack->digits > PACKED_DIGITS)
        return false;
    doc = json_parse(text.ptr, text.len, NULL, NULL);
    digits = doc && cJSON_IsNumber(json_root(doc)) ? digits_of(json_root(doc)) : NULL;
    ok = digits && strlen(digits) == text.len;
    json_doc_free(doc);
    lua_pushnumber(L, number);
    unpack->text = text;
    return ok;
}

static bool push_members(lua_State *L, struct unpack *unpack, int depth)
{
    struct bytes *from = &unpack->from;
    uint32_t count = bytes_get_u32(from);

    for (uint32_t i = 1; i <= count; i++) { /* each takes a byte at least, so it ends */
        lua_pushinteger(L, (lua_Integer)i);
        if (!push_value(L, unpack, depth))
            return false;
        set_member(L, unpack);
    }
    count = bytes_get_u32(from);
    for (uint32_t i = 0; i < count; i++) {
        if (!push_value(L, unpack, depth)) /* key */
            return false;
        if (!push_value(L, unpack, depth) || !is_table_key(L, unpack, -2)) /* key, value */
            return false;
        set_member(L, unpack);
    }
    return !from->bad;
}

static bool push_table(lua_State *L, struct unpack *unpack, int depth)
{
    int marker = bytes_get_u8(&unpack->from);

    if (unpack->from.bad || marker > MARKED_ORDERED || depth > VALUE_DEPTH)
        return false;
    lua_newtable(L); /* table */
    if (!push_members(L, unpack, depth + 1))
        return false;
    if (marker == MARKED_ORDERED) {
        if (!push_value(L, unpack, depth + 1) || !lua_istable(L, -1))
            return false;
        value_mark_object(L, -2, -1); /* table, order */
        lua_pop(L, 1);
    } else if (marker == MARKED_ARRAY) {
        value_mark_array(L, -1);
    } else if (marker == MARKED_OBJECT) {
        value_mark_object(L, -1, 0);
    }
    return true;
}

static bool push_value(lua_State *L, struct unpack *unpack, int depth)
{
    struct bytes *from = &unpack->from;
    struct str text;

    luaL_checkstack(L, 12, "nested too deep");
    unpack->text = (struct str){ NULL, 0 };
    switch (from->bad || ++unpack->values > PACKED_VALUES ? -1 : bytes_get_u8(from)) {
    case TAG_NIL:
        lua_pushnil(L);
        break;
    case TAG_FALSE:
        lua_pushboolean(L, 0);
        break;
    case TAG_TRUE:
        lua_pushboolean(L, 1);
        break;
    case TAG_NULL:
        lua_pushlightuserdata(L, NULL);
        break;
    case TAG_INTEGER:
        lua_pushinteger(L, (lua_Integer)bytes_get_u64(from));
        break;
    case TAG_NUMBER:
        lua_pushnumber(L, bytes_get_double(from));
        break;
    case TAG_STRING:
        text = bytes_get_str(from);
        lua_pushlstring(L, text.len ? text.ptr : "", text.len);
        break;
    case TAG_TABLE:
        return push_table(L, unpack, depth);
    case TAG_DIGITS:
        return push_digits(L, unpack);
    default:
        return false;
    }
    return !from->bad;
}

bool packed_push(lua_State *L, struct str *bytes, struct error *err)
{
    struct unpack unpack = { .from = { *bytes, false } };
    int top = lua_gettop(L);

    if (!push_value(L, &unpack, 0)) {
        lua_settop(L, top);
        return error_set(err, "bad_value", "the bytes are not a packed value");
    }
    *bytes = unpack.from.left;
    return true;
}

int packed_push_list(lua_State *L, struct str bytes)
{
    enum { USUAL = 16 }; /* bytes of a value: growing the list takes long */
    struct unpack unpack = { .from = { bytes, false } };

    lua_createtable(L, (int)(bytes.len / USUAL), 0); /* values */
    for (lua_Integer i = 1; unpack.from.left.len > 0; i++) {
        unpack.values = 0;
        if (!push_value(L, &unpack, 0))
            return bind_fail(L, "bad_value", "the bytes are not packed values");
        lua_rawseti(L, -2, i);
    }
    return 1;
}
