/* Helpers of the bindings. Nothing here knows a module. */
#include "script/bind.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/distance.h"
#include "script/vm.h"

#define BUFFER   "perigee.buffer"
#define DOCUMENT "perigee.document"

enum { LIST_MAX = 100000 };

/* --- buffers ------------------------------------------------------------------- */

static int buffer_gc(lua_State *L)
{
    buf_free(lua_touserdata(L, 1));
    return 0;
}

struct buf *bind_buffer(lua_State *L)
{
    struct buf *buf = lua_newuserdatauv(L, sizeof *buf, 0); /* buf */

    *buf = (struct buf){ 0 };
    luaL_setmetatable(L, BUFFER);
    return buf;
}

static int document_gc(lua_State *L)
{
    struct json_doc **doc = lua_touserdata(L, 1);

    json_doc_free(*doc);
    *doc = NULL;
    return 0;
}

struct json_doc **bind_document(lua_State *L)
{
    struct json_doc **doc = lua_newuserdatauv(L, sizeof *doc, 0); /* doc */

    *doc = NULL;
    luaL_setmetatable(L, DOCUMENT);
    return doc;
}

int bind_init(lua_State *L)
{
    static const luaL_Reg buffer[] = { { "__gc", buffer_gc }, { NULL, NULL } };
    static const luaL_Reg document[] = { { "__gc", document_gc }, { NULL, NULL } };

    bind_metatable(L, BUFFER, buffer, NULL);
    bind_metatable(L, DOCUMENT, document, NULL);
    return 0;
}

void bind_metatable(lua_State *L, const char *name, const luaL_Reg *meta, const luaL_Reg *methods)
{
    luaL_newmetatable(L, name); /* mt */
    luaL_setfuncs(L, meta, 0);
    if (methods) {
        lua_newtable(L); /* mt, methods */
        luaL_setfuncs(L, methods, 0);
        lua_setfield(L, -2, "__index");
    }
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1); /* - */
}

/* --- failures ------------------------------------------------------------------ */

int bind_error(lua_State *L, const struct error *err)
{
    lua_pushnil(L);
    lua_pushstring(L, err->text);
    lua_pushstring(L, err->code);
    return 3;
}

int bind_fail(lua_State *L, const char *code, const char *fmt, ...)
{
    struct error err;
    va_list args;

    va_start(args, fmt);
    error_vset(&err, code, fmt, args);
    va_end(args);
    return bind_error(L, &err);
}

/* --- options ------------------------------------------------------------------- */

int bind_field_error(lua_State *L, int arg, const char *name, const char *what)
{
    luaL_argerror(L, arg, lua_pushfstring(L, "field '%s': %s", name, what));
    abort(); /* it does not return; Lua's headers do not say so */
}

static bool list_has_name(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* inner: the field of the argument that is the table; NULL: the argument itself is. */
static void unknown_field(lua_State *L, int arg, const char *inner, const char *name,
                          const char *const *names)
{
    struct nearest_name nearest = { .typed = name };

    for (; *names; names++)
        nearest_name_try(&nearest, *names);
    if (inner)
        name = lua_pushfstring(L, "%s.%s", inner, name);
    bind_field_error(
        L, arg, name,
        lua_pushfstring(L, "there is no such option%s", nearest_name_text(&nearest).text));
}

static void check_fields(lua_State *L, int table, int arg, const char *inner,
                         const char *const *names)
{
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) { /* k, v */
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;

        if (name && !list_has_name(name, names))
            unknown_field(L, arg, inner, name, names);
    }
}

void bind_check_fields(lua_State *L, int arg, const char *const *names)
{
    luaL_checktype(L, arg, LUA_TTABLE);
    check_fields(L, arg, arg, NULL, names);
}

void bind_check_options(lua_State *L, int arg, const char *const *names)
{
    if (lua_istable(L, arg))
        check_fields(L, arg, arg, NULL, names);
}

void bind_check_inner(lua_State *L, int arg, const char *field, const char *const *names)
{
    check_fields(L, lua_gettop(L), arg, field, names);
}

/* Pushes t[name] and gives its type. */
static int raw_field(lua_State *L, int arg, const char *name)
{
    lua_pushstring(L, name);
    return lua_rawget(L, arg);
}

static int type_error(lua_State *L, int arg, const char *name, const char *wanted)
{
    return bind_field_error(
        L, arg, name, lua_pushfstring(L, "%s expected, got %s", wanted, luaL_typename(L, -1)));
}

bool bind_flag(lua_State *L, int arg, const char *name)
{
    bool on;

    if (raw_field(L, arg, name) > LUA_TBOOLEAN)
        type_error(L, arg, name, "boolean");
    on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return on;
}

double bind_number(lua_State *L, int arg, const char *name, double absent, double min, double max)
{
    double value = absent;

    if (raw_field(L, arg, name) != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TNUMBER)
            type_error(L, arg, name, "number");
        value = lua_tonumber(L, -1);
        if (!(value >= min && value <= max))
            bind_field_error(L, arg, name,
                             lua_pushfstring(L, "expected %f to %f, got %f", min, max, value));
    }
    lua_pop(L, 1);
    return value;
}

const char *bind_text(lua_State *L, int arg, const char *name, size_t *len)
{
    const char *text = NULL;
    size_t size = 0;

    if (raw_field(L, arg, name) != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TSTRING)
            type_error(L, arg, name, "string");
        text = lua_tolstring(L, -1, &size);
        if (!len && strlen(text) != size)
            bind_field_error(L, arg, name, "it has a NUL byte");
    }
    lua_pop(L, 1);
    if (len)
        *len = size;
    return text;
}

bool bind_word(lua_State *L, struct buf *words)
{
    size_t len;
    const char *text = lua_tolstring(L, -1, &len);
    bool ok = text && strlen(text) == len;

    if (ok)
        buf_add(words, text, len + 1);
    lua_pop(L, 1);
    return ok;
}

size_t bind_words(lua_State *L, int arg, int index, const char *field, struct buf *words)
{
    size_t count = lua_rawlen(L, index);

    index = lua_absindex(L, index);
    field = field ? field : "";
    luaL_argcheck(L, count <= LIST_MAX, arg, "too many arguments");
    for (size_t i = 1; i <= count; i++) {
        int type = lua_rawgeti(L, index, (lua_Integer)i); /* word */

        if (type != LUA_TSTRING && type != LUA_TNUMBER)
            luaL_argerror(L, arg,
                          lua_pushfstring(L, "%s[%d]: string expected, got %s", field, (int)i,
                                          luaL_typename(L, -1)));
        if (!bind_word(L, words)) /* - */
            luaL_argerror(L, arg, lua_pushfstring(L, "%s[%d] has a NUL byte", field, (int)i));
    }
    return count;
}

uint64_t bind_milliseconds(lua_State *L, int arg, double absent, double max)
{
    double seconds = luaL_optnumber(L, arg, absent);

    if (!(seconds > 0 && seconds <= max))
        luaL_argerror(L, arg, lua_pushfstring(L, "expected more than 0, at most %f seconds", max));
    return (uint64_t)ceil(seconds * 1000);
}

uint64_t bind_now(void)
{
    return uv_hrtime() / 1000000;
}
