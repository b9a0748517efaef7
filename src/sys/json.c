/* sys.json -- JSON text and Lua values, with markers that keep [] and {} apart. */
#include "json/document.h"

#include <lauxlib.h>

#include "json/schema/schema.h"
#include "json/writer.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/sys.h"

struct decoding {
    const cJSON *root;
};

static int push_decoded(lua_State *L)
{
    struct decoding *decoding = lua_touserdata(L, 1);

    value_push_json(L, decoding->root);
    return 1;
}

static int json_decode(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);
    struct decoding decoding;
    struct error err;
    struct json_doc *doc;
    int status;

    lua_pushcfunction(L, push_decoded);
    lua_pushlightuserdata(L, &decoding);
    doc = json_parse(text, len, NULL, &err);
    if (!doc)
        return bind_error(L, &err);
    decoding.root = json_root(doc);
    status = lua_pcall(L, 1, 1, 0); /* out of memory must not lose the document */
    json_doc_free(doc);
    return status == LUA_OK ? 1 : lua_error(L);
}

/* Called with (table, key, node): table[key] = node */
static int put_protected(lua_State *L)
{
    value_put_json(L, 1, lua_touserdata(L, 3));
    return 0;
}

/* sys.json.put(table, key, text) -> true | nil, text, code */
static int json_put(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 3, &len);
    struct error err;
    struct json_doc *doc;
    int status;

    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argcheck(L, lua_type(L, 2) == LUA_TSTRING || lua_isinteger(L, 2), 2,
                  "string or integer expected");
    lua_pushcfunction(L, put_protected);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    doc = json_parse(text, len, NULL, &err);
    if (!doc)
        return bind_error(L, &err);
    lua_pushlightuserdata(L, (void *)json_root(doc));
    status = lua_pcall(L, 3, 0, 0); /* out of memory must not lose the document */
    json_doc_free(doc);
    if (status != LUA_OK)
        return lua_error(L);
    lua_pushboolean(L, 1);
    return 1;
}

static bool option_flag(lua_State *L, int index, const char *name)
{
    bool on;

    if (!lua_istable(L, index))
        return false;
    lua_getfield(L, index, name);
    on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return on;
}

/* sys.json.encode(value [, { pretty = true }]) -> text | nil, text, code */
static int json_encode(lua_State *L)
{
    struct error err;
    struct buf *out;
    static const char *const names[] = { "pretty", NULL };
    bool pretty;

    luaL_checkany(L, 1);
    bind_check_options(L, 2, names);
    pretty = option_flag(L, 2, "pretty");
    out = bind_buffer(L);
    if (!value_write_json(L, 1, out, &err))
        return bind_error(L, &err);
    if (pretty) {
        static const struct json_limits limits = { (size_t)1 << 30, 2 * VALUE_DEPTH, 100000000 };
        struct json_doc *doc = json_parse(out->data, out->len, &limits, &err);

        if (!doc)
            return bind_error(L, &err);
        out->len = 0;
        json_write_pretty(out, json_root(doc), 2);
        json_doc_free(doc);
    }
    lua_pushlstring(L, out->data, out->len);
    return 1;
}

static int json_array(lua_State *L)
{
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    value_mark_array(L, 1);
    return 1;
}

/* sys.json.object([t [, order]]) */
static int json_object(lua_State *L)
{
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    value_mark_object(L, 1, lua_istable(L, 2) ? 2 : 0);
    lua_settop(L, 1);
    return 1;
}

static int json_is_array(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, value_is_array(L, 1));
    return 1;
}

/* Takes texts instead of Lua values: nothing here raises, so every document is freed. */
static bool check_json_texts(const struct buf *rule_text, const struct buf *value_text,
                             struct error *err)
{
    struct json_doc *rule = json_parse(rule_text->data, rule_text->len, NULL, err);
    struct json_doc *value = rule ? json_parse(value_text->data, value_text->len, NULL, err) : NULL;
    struct schema *schema = value ? schema_compile(json_root(rule), err) : NULL;
    bool ok = schema && schema_check(schema, json_root(value), err);

    schema_free(schema);
    json_doc_free(value);
    json_doc_free(rule);
    return ok;
}

/* sys.json.check(schema, value) -> true | false, text */
static int json_check(lua_State *L)
{
    struct buf *rule, *value;
    struct error err;
    bool ok;

    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    rule = bind_buffer(L);
    value = bind_buffer(L);
    ok = value_write_json(L, 1, rule, &err) && value_write_json(L, 2, value, &err) &&
         check_json_texts(rule, value, &err);
    lua_pushboolean(L, ok);
    if (ok)
        return 1;
    lua_pushstring(L, err.text);
    return 2;
}

static const luaL_Reg json_funcs[] = { { "array", json_array },       { "check", json_check },
                                       { "decode", json_decode },     { "encode", json_encode },
                                       { "is_array", json_is_array }, { "object", json_object },
                                       { "put", json_put },           { NULL, NULL } };

int luaopen_sys_json(lua_State *L)
{
    luaL_newlib(L, json_funcs);
    lua_pushlightuserdata(L, NULL);
    lua_setfield(L, -2, "null");
    return 1;
}
