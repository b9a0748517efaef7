/* Lua values <-> JSON. The markers are metatables known by their address in the
 * registry; scripts cannot reach them, since the sandbox has no getmetatable. */
#include "script/value.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/digits.h"
#include "json/document.h"
#include "json/number.h"
#include "json/writer.h"
#include "script/key_order.h"
#include "script/written_digits.h"

enum { ITEMS_COUNTED = 1000000 }; /* a larger `n` is none of ours */

static const char array_key, object_key; /* their addresses are the names */

static void make_marker(lua_State *L, const void *key, const char *name)
{
    lua_createtable(L, 0, 2);               /* mt */
    lua_pushstring(L, name);                /* mt, name */
    lua_setfield(L, -2, "__name");          /* mt */
    lua_pushboolean(L, 0);                  /* mt, false */
    lua_setfield(L, -2, "__metatable");     /* mt */
    lua_rawsetp(L, LUA_REGISTRYINDEX, key); /* - */
}

void value_init(lua_State *L)
{
    make_marker(L, &array_key, "array");
    make_marker(L, &object_key, "object");
    key_order_init(L);
}

void value_mark_array(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &array_key);
    lua_setmetatable(L, index);
}

void value_mark_object(lua_State *L, int index, int order)
{
    if (order) {
        key_order_mark(L, index, order);
        return;
    }
    index = lua_absindex(L, index);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &object_key);
    lua_setmetatable(L, index);
}

static bool has_marker(lua_State *L, int index, const void *key)
{
    bool same;

    if (!lua_getmetatable(L, index)) /* mt */
        return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, key); /* mt, marker */
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

bool value_is_marked_array(lua_State *L, int index)
{
    return has_marker(L, index, &array_key);
}

bool value_is_marked_object(lua_State *L, int index)
{
    return has_marker(L, index, &object_key);
}

bool value_push_order(lua_State *L, int index)
{
    return key_order_push(L, index);
}

/* --- JSON -> Lua --------------------------------------------------------------- */

/* Does the Lua value of this number lack digits? */
static bool needs_digits(const cJSON *node)
{
    const char *text = digits_of(node);
    int64_t whole;

    return text && !digits_integer(text, &whole);
}

static void push_json_number(lua_State *L, const cJSON *node)
{
    double number = node->valuedouble;
    int64_t whole;

    if (digits_of(node) && digits_integer(digits_of(node), &whole)) {
        lua_pushinteger(L, whole);
        return;
    }
    if (number >= -EXACT_INTEGERS && number <= EXACT_INTEGERS && floor(number) == number &&
        !(number == 0 && signbit(number)))
        lua_pushinteger(L, (lua_Integer)number);
    else
        lua_pushnumber(L, number);
}

static void push_str(lua_State *L, struct str text)
{
    lua_pushlstring(L, text.ptr ? text.ptr : "", text.len);
}

static void push_array(lua_State *L, const cJSON *node)
{
    lua_Integer i = 0;

    lua_createtable(L, cJSON_GetArraySize(node), 0); /* t */
    for (const cJSON *item = node->child; item; item = item->next) {
        value_push_json(L, item); /* t, v */
        lua_rawseti(L, -2, ++i);  /* t[i] = v */
        if (needs_digits(item)) {
            lua_pushinteger(L, i); /* t, i */
            written_digits_remember(L, str_from(digits_of(item)));
            lua_pop(L, 1);
        }
    }
    value_mark_array(L, -1);
}

static void push_object(lua_State *L, const cJSON *node)
{
    int count = 0;

    for (const cJSON *item = node->child; item; item = item->next)
        count++;
    lua_createtable(L, 0, count); /* t */
    for (const cJSON *item = node->child; item; item = item->next) {
        push_str(L, json_name(item)); /* t, k */
        value_push_json(L, item);     /* t, k, v */
        lua_rawset(L, -3);            /* t[k] = v */
        if (needs_digits(item)) {
            push_str(L, json_name(item)); /* t, k */
            written_digits_remember(L, str_from(digits_of(item)));
            lua_pop(L, 1);
        }
    }
    /* An empty one is written as {} without a marker, and becomes a list when items are added. */
    if (count)
        key_order_keep(L, node, count);
}

void value_put_json(lua_State *L, int table, const cJSON *node)
{
    table = lua_absindex(L, table);
    lua_settop(L, table + 1); /* t, k */
    lua_pushvalue(L, -1);     /* t, k, k */
    value_push_json(L, node); /* t, k, k, v */
    lua_rawset(L, table);     /* t, k */
    if (needs_digits(node))
        written_digits_remember(L, str_from(digits_of(node)));
}

void value_push_json(lua_State *L, const cJSON *node)
{
    luaL_checkstack(L, 10, "JSON is nested too deep");
    switch (node ? node->type & 0xFF : cJSON_Invalid) {
    case cJSON_False:
        lua_pushboolean(L, 0);
        break;
    case cJSON_True:
        lua_pushboolean(L, 1);
        break;
    case cJSON_NULL:
        lua_pushlightuserdata(L, NULL);
        break;
    case cJSON_Number:
        push_json_number(L, node);
        break;
    case cJSON_String:
        push_str(L, json_string(node));
        break;
    case cJSON_Array:
        push_array(L, node);
        break;
    case cJSON_Object:
        push_object(L, node);
        break;
    default:
        lua_pushnil(L);
    }
}

/* --- Lua -> JSON ----------------------------------------------------------------- */

struct json_write_state {
    lua_State *L;
    struct buf *out;
    struct error *err;
    size_t most;    /* length of `out` beyond which it is too much */
    size_t limit;   /* bytes that this value may take */
    int digits;     /* index of the texts that the table being written remembers; 0: none */
    char path[256]; /* ".window.bounds[2]", cut; not on the heap, since writing may raise */
    size_t path_len;
};

static bool write_lua_value(struct json_write_state *w, int index, int depth);

static void add_step(struct json_write_state *w, const char *ptr, size_t len)
{
    size_t room = sizeof w->path - 1 - w->path_len;

    len = len < room ? len : room;
    memcpy(w->path + w->path_len, ptr, len);
    w->path_len += len;
}

static bool refuse_value(struct json_write_state *w, const char *what)
{
    if (w->path_len == 0)
        return error_set(w->err, "not_json", "%s cannot be written as JSON", what);
    w->path[w->path_len] = '\0';
    return error_set(w->err, "not_json", "%s: %s cannot be written as JSON", w->path, what);
}

static bool refuse_length(struct json_write_state *w)
{
    return error_set(w->err, "not_json",
                     "the value takes more than %zu MB as JSON text. Write less at a time, and no "
                     "table many times",
                     w->limit >> 20);
}

/* The key and the value are on top of the stack. */
static bool write_inner(struct json_write_state *w, int depth)
{
    int value = lua_gettop(w->L);
    struct str digits = written_digits_of(w->L, w->digits, value - 1, value);

    if (!digits.len)
        return write_lua_value(w, value, depth + 1);
    buf_add(w->out, digits.ptr, digits.len);
    return true;
}

static bool write_items(struct json_write_state *w, int index, lua_Integer count, int depth)
{
    size_t mark = w->path_len;
    char step[24];

    buf_addc(w->out, '[');
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            buf_addc(w->out, ',');
        add_step(w, step, (size_t)snprintf(step, sizeof step, "[%lld]", (long long)i));
        lua_pushinteger(w->L, i);
        lua_rawgeti(w->L, index, i); /* i, v */
        if (!write_inner(w, depth))
            return false;
        lua_pop(w->L, 2); /* - */
        w->path_len = mark;
    }
    buf_addc(w->out, ']');
    return true;
}

/* The member whose key (a string) and value are on top of the stack; pops both. */
static bool write_json_member(struct json_write_state *w, bool first, int depth)
{
    size_t len;
    const char *key = lua_tolstring(w->L, -2, &len);
    size_t mark = w->path_len;

    if (!first)
        buf_addc(w->out, ',');
    json_write_string(w->out, key, len);
    buf_addc(w->out, ':');
    add_step(w, ".", 1);
    add_step(w, key, len < 64 ? len : 64);
    if (!write_inner(w, depth))
        return false;
    w->path_len = mark;
    lua_pop(w->L, 2);
    return true;
}

struct sort_key {
    const char *ptr;
    size_t len;
};

static int by_bytes(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    size_t len = x->len < y->len ? x->len : y->len;
    int order = memcmp(x->ptr, y->ptr, len);

    return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* The first whole number from 1 on that is not a key of this table of `count` keys; 0: it has
 * others than whole numbers from 1 on. */
static lua_Integer first_gap(lua_State *L, int index, size_t count)
{
    lua_Integer gap = 1;

    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1) {
            lua_pop(L, 2);
            return 0;
        }
    }
    while (gap <= (lua_Integer)count && lua_rawgeti(L, index, gap) != LUA_TNIL) {
        lua_pop(L, 1);
        gap++;
    }
    return gap;
}

static bool refuse_keys(struct json_write_state *w, int index, size_t count)
{
    lua_Integer gap = first_gap(w->L, index, count);
    char what[128];

    if (!gap || gap > (lua_Integer)count)
        return refuse_value(w, "a table with both names and numbers (or other keys)");
    snprintf(what, sizeof what,
             "a list with a gap, whose item [%lld] is nil (sys.json.null fills it),",
             (long long)gap);
    return refuse_value(w, what);
}

/* Members of the table at `index`, `count` of them, by the bytes of their names. */
static bool write_sorted_fields(struct json_write_state *w, int index, size_t count, bool first,
                                int depth)
{
    lua_State *L = w->L;
    /* in Lua's memory, so that nothing is lost when writing raises */
    struct sort_key *keys = lua_newuserdatauv(L, count * sizeof *keys + 1, 0); /* keys */
    size_t n = 0;

    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) { /* keys, k, v */
        if (lua_type(L, -2) != LUA_TSTRING)
            return refuse_keys(w, index, count);
        keys[n].ptr = lua_tolstring(L, -2, &keys[n].len);
        n++;
    }
    qsort(keys, n, sizeof *keys, by_bytes);
    for (size_t i = 0; i < n; i++) {
        lua_pushlstring(L, keys[i].ptr, keys[i].len); /* keys, k */
        lua_pushvalue(L, -1);                         /* keys, k, k */
        lua_rawget(L, index);                         /* keys, k, v */
        if (!write_json_member(w, first && i == 0, depth))
            return false;
    }
    lua_pop(L, 1); /* - */
    return true;
}

/* First the keys named by the order that are there, then the rest. */
static bool write_ordered(struct json_write_state *w, int index, int order, int depth)
{
    lua_State *L = w->L;
    bool first = true;
    size_t left = 0;

    lua_newtable(L); /* rest */
    int rest = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, index); left++) { /* rest, k, v */
        lua_pushvalue(L, -2);                          /* rest, k, v, k */
        lua_insert(L, -2);                             /* rest, k, k, v */
        lua_rawset(L, rest);                           /* rest, k */
    }
    for (lua_Integer i = 1; lua_rawgeti(L, order, i) == LUA_TSTRING; i++) { /* rest, k */
        lua_pushvalue(L, -1);                                               /* rest, k, k */
        if (lua_rawget(L, rest) == LUA_TNIL) {                              /* rest, k, v */
            lua_pop(L, 2);
            continue;
        }
        lua_pushvalue(L, -2); /* rest, k, v, k */
        lua_pushnil(L);
        lua_rawset(L, rest); /* rest, k, v */
        if (!write_json_member(w, first, depth))
            return false;
        first = false;
        left--;
    }
    lua_pop(L, 1); /* rest */
    if (left > 0 && !write_sorted_fields(w, rest, left, first, depth))
        return false;
    lua_pop(L, 1);
    return true;
}

static bool write_object(struct json_write_state *w, int index, size_t count, int order, int depth)
{
    bool ok;

    buf_addc(w->out, '{');
    ok = order ? write_ordered(w, index, order, depth)
               : write_sorted_fields(w, index, count, true, depth);
    buf_addc(w->out, '}');
    return ok;
}

static size_t count_keys(lua_State *L, int index)
{
    size_t count = 0;

    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        count++;
    return count;
}

/* How long a marked array is. Its `n`, as table.pack() and sys.task.map() leave it, counts nils. */
static lua_Integer array_length(lua_State *L, int index)
{
    lua_Integer length = (lua_Integer)lua_rawlen(L, index), n = 0;

    lua_pushliteral(L, "n");
    if (lua_rawget(L, index) == LUA_TNUMBER)
        n = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return n > length && n <= ITEMS_COUNTED ? n : length;
}

static bool write_json_members(struct json_write_state *w, int index, int depth)
{
    lua_State *L = w->L;
    bool ok;

    if (has_marker(L, index, &array_key))
        return write_items(w, index, array_length(L, index), depth);
    if (value_push_order(L, index)) { /* order */
        ok = write_object(w, index, 0, lua_gettop(L), depth);
        if (ok)
            lua_pop(L, 1);
        return ok;
    }
    size_t count = count_keys(L, index);
    size_t length = lua_rawlen(L, index);
    if (length > 0 && length == count && !has_marker(L, index, &object_key))
        return write_items(w, index, (lua_Integer)length, depth);
    return write_object(w, index, count, 0, depth);
}

static bool write_table(struct json_write_state *w, int index, int depth)
{
    int outer = w->digits;
    bool ok;

    if (depth > VALUE_DEPTH)
        return refuse_value(w, "nested too deep, or a table that contains itself,");
    luaL_checkstack(w->L, 16, "nested too deep");
    written_digits_push(w->L, index); /* digits */
    w->digits = lua_istable(w->L, -1) ? lua_gettop(w->L) : 0;
    ok = write_json_members(w, index, depth);
    w->digits = outer;
    if (ok)
        lua_pop(w->L, 1);
    return ok;
}

static bool write_number(struct json_write_state *w, int index)
{
    lua_Number number = lua_tonumber(w->L, index);

    if (lua_isinteger(w->L, index))
        json_write_integer(w->out, lua_tointeger(w->L, index));
    else if (isfinite(number))
        json_write_number(w->out, number);
    else
        return refuse_value(w, isnan(number) ? "NaN" : "infinity");
    return true;
}

static bool write_lua_value(struct json_write_state *w, int index, int depth)
{
    lua_State *L = w->L;
    size_t len;
    const char *text;

    if (w->out->len > w->most)
        return refuse_length(w);
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        buf_lit(w->out, "null");
        return true;
    case LUA_TBOOLEAN:
        buf_adds(w->out, lua_toboolean(L, index) ? "true" : "false");
        return true;
    case LUA_TNUMBER:
        return write_number(w, index);
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &len);
        json_write_string(w->out, text, len);
        return true;
    case LUA_TTABLE:
        return write_table(w, index, depth);
    case LUA_TLIGHTUSERDATA:
        if (!lua_touserdata(L, index)) {
            buf_lit(w->out, "null");
            return true;
        }
        /* fall through */
    default:
        return refuse_value(w, lua_type(L, index) == LUA_TFUNCTION ? "a function" : "a userdata");
    }
}

bool value_write_json_within(lua_State *L, int index, size_t limit, struct buf *out,
                             struct error *err)
{
    struct json_write_state w = {
        .L = L, .out = out, .err = err, .most = out->len + limit, .limit = limit
    };
    int top = lua_gettop(L);
    bool ok;

    luaL_checkstack(L, 8, "no room");
    ok = write_lua_value(&w, lua_absindex(L, index), 0);
    lua_settop(L, top);
    return ok;
}

bool value_write_json(lua_State *L, int index, struct buf *out, struct error *err)
{
    return value_write_json_within(L, index, VALUE_BYTES, out, err);
}

bool value_is_array(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE || has_marker(L, index, &object_key))
        return false;
    if (has_marker(L, index, &array_key))
        return true;
    size_t length = lua_rawlen(L, index);
    return length > 0 && length == count_keys(L, index);
}
