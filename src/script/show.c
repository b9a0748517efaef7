/* A table is written twice where it does not fit on a line: its parts first, then what is between
 * them. */
#include "script/show.h"

#include <ctype.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "script/bind.h"

enum { SORTED = 5000 }; /* keys */

struct state {
    int depth, items, width, hide;
    size_t string; /* bytes of one */
    size_t bytes;  /* shown so far */
    const void *within[SHOW_DEPTH_MAX];
    int level;
};

static void write_shown_value(lua_State *L, int index, struct state *state, struct buf *out);

/* --- strings ------------------------------------------------------------------------------- */

static void write_byte(struct buf *out, unsigned char c, bool digit_follows)
{
    if (c == '"' || c == '\\') {
        buf_addc(out, '\\');
        buf_addc(out, (char)c);
    } else if (c == '\n' || c == '\t' || c == '\r') {
        buf_addc(out, '\\');
        buf_addc(out, c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
    } else if (iscntrl(c)) {
        buf_addf(out, digit_follows ? "\\%03d" : "\\%d", c);
    } else {
        buf_addc(out, (char)c);
    }
}

/* In quotes; what is beyond a limit is cut. */
static void write_string(const char *text, size_t len, size_t most, struct buf *out)
{
    size_t from = out->len, shown = utf8_cut(text, len, most), i;

    buf_addc(out, '"');
    for (i = 0; i < shown && out->len - from < SHOW_BYTES; i++)
        write_byte(out, (unsigned char)text[i],
                   i + 1 < shown && isdigit((unsigned char)text[i + 1]));
    buf_addc(out, '"');
    if (i < len)
        buf_addf(out, "... %zu bytes", len);
}

static bool is_identifier(const char *text, size_t len)
{
    if (!len || isdigit((unsigned char)*text))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!(isalnum((unsigned char)text[i]) || text[i] == '_') || (unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

/* Characters; of what is not UTF-8, bytes. */
static size_t count_columns(const struct buf *text)
{
    size_t count = 0;

    for (size_t i = 0; i < text->len; i++)
        count += ((unsigned char)text->data[i] & 0xc0) != 0x80;
    return count;
}

/* --- keys ---------------------------------------------------------------------------------- */

struct key {
    const char *type;
    int place; /* in the list of keys */
    lua_Number number;
    struct str string;
    const void *pointer;
};

static int by_table_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = x->type == y->type ? 0 : strcmp(x->type, y->type);
    size_t least = x->string.len < y->string.len ? x->string.len : y->string.len;

    if (order)
        return order;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    order = least ? memcmp(x->string.ptr, y->string.ptr, least) : 0;
    if (!order && x->string.len != y->string.len)
        order = x->string.len < y->string.len ? -1 : 1;
    return order ? order : x->pointer < y->pointer ? -1 : x->pointer > y->pointer;
}

static struct key read_table_key(lua_State *L, int index, int place)
{
    struct key key = { .type = luaL_typename(L, index), .place = place };

    if (lua_type(L, index) == LUA_TNUMBER)
        key.number = lua_tonumber(L, index);
    else if (lua_type(L, index) == LUA_TSTRING)
        key.string.ptr = lua_tolstring(L, index, &key.string.len);
    else if (lua_type(L, index) == LUA_TBOOLEAN)
        key.number = lua_toboolean(L, index);
    else
        key.pointer = lua_topointer(L, index);
    return key;
}

/* Is the key on top one of the list's first `count`? */
static bool is_list_key(lua_State *L, lua_Integer count)
{
    return lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= count;
}

/* Pushes a list of the keys that are not of the list, of very many the first that there are, and
 * their order as a userdata; *all: how many there are. */
static const struct key *push_keys(lua_State *L, int table, lua_Integer count, int *found,
                                   lua_Integer *all)
{
    struct key *keys;
    int list;

    *found = 0;
    *all = 0;
    lua_newtable(L);
    list = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) { /* key, value */
        lua_pushvalue(L, -2);
        if (!is_list_key(L, count) && ++*all <= SORTED)
            lua_rawseti(L, list, ++*found);
        else
            lua_pop(L, 1);
    }
    keys = lua_newuserdatauv(L, ((size_t)*found + 1) * sizeof *keys, 0);
    for (int i = 0; i < *found; i++) {
        lua_rawgeti(L, list, i + 1);
        keys[i] = read_table_key(L, -1, i + 1);
        lua_pop(L, 1);
    }
    qsort(keys, (size_t)*found, sizeof *keys, by_table_key);
    return keys;
}

/* --- tables -------------------------------------------------------------------------------- */

/* Parts that are written one behind the other: where each ends. Both are on the stack. */
struct parts {
    struct buf *text, *ends;
    int count;
};

static void end_part(struct parts *parts)
{
    buf_add(parts->ends, &parts->text->len, sizeof parts->text->len);
    parts->count++;
}

static size_t part_end(const struct parts *parts, int i)
{
    size_t end;

    memcpy(&end, parts->ends->data + (size_t)i * sizeof end, sizeof end);
    return end;
}

/* The key on top; pops it. */
static void write_shown_key(lua_State *L, struct state *state, struct buf *out)
{
    size_t len;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;

    if (text && is_identifier(text, len)) {
        buf_add(out, text, len);
    } else {
        buf_addc(out, '[');
        write_shown_value(L, lua_gettop(L), state, out);
        buf_addc(out, ']');
    }
    lua_pop(L, 1);
}

/* Does `hide` say so of the key on top? */
static bool is_hidden_key(lua_State *L, const struct state *state)
{
    bool hidden;

    if (!state->hide || lua_type(L, -1) != LUA_TSTRING)
        return false;
    lua_pushvalue(L, state->hide);
    lua_pushvalue(L, -2);
    lua_call(L, 1, 1);
    hidden = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return hidden;
}

/* "KEY = VALUE", of the key on top; pops it. */
static void write_shown_field(lua_State *L, int table, struct state *state, struct buf *out)
{
    lua_pushvalue(L, -1);
    write_shown_key(L, state, out);
    buf_lit(out, " = ");
    if (is_hidden_key(L, state)) {
        buf_lit(out, "***");
    } else {
        lua_rawget(L, table);
        write_shown_value(L, lua_gettop(L), state, out);
    }
    lua_pop(L, 1);
}

static void write_parts(lua_State *L, int table, struct state *state, struct parts *parts)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, table), all;
    int found, list;
    const struct key *keys;

    for (lua_Integer i = 1; i <= count && parts->count < state->items; i++) {
        lua_rawgeti(L, table, i);
        write_shown_value(L, lua_gettop(L), state, parts->text);
        lua_pop(L, 1);
        end_part(parts);
    }
    keys = push_keys(L, table, count, &found, &all);
    list = lua_gettop(L) - 1;
    for (int i = 0; i < found && parts->count < state->items; i++) {
        lua_rawgeti(L, list, keys[i].place);
        write_shown_field(L, table, state, parts->text);
        end_part(parts);
    }
    if (count + all > parts->count) {
        buf_addf(parts->text, "... %lld more", (long long)(count + all - parts->count));
        end_part(parts);
    }
    lua_settop(L, list - 1);
}

static void add_indent(struct buf *out, int level)
{
    for (int i = 0; i < level; i++)
        buf_lit(out, "  ");
}

/* On one line, if that is short, else each part on a line of its own. */
static void join_parts(const struct parts *parts, const struct state *state, struct buf *out)
{
    size_t between = (size_t)2 * (size_t)(parts->count - 1), from = 0;
    bool one_line = !memchr(parts->text->data, '\n', parts->text->len) &&
                    count_columns(parts->text) + between + 4 + (size_t)(2 * state->level) <=
                        (size_t)state->width;

    buf_adds(out, one_line ? "{ " : "{\n");
    for (int i = 0; i < parts->count; i++) {
        size_t end = part_end(parts, i);

        if (!one_line)
            add_indent(out, state->level + 1);
        buf_add(out, parts->text->data + from, end - from);
        if (i + 1 < parts->count)
            buf_adds(out, one_line ? ", " : ",\n");
        from = end;
    }
    if (one_line) {
        buf_lit(out, " }");
    } else {
        buf_addc(out, '\n');
        add_indent(out, state->level);
        buf_addc(out, '}');
    }
}

/* A table that is empty and reads from another one, as modules are, is shown as that: replaces it
 * on top of the stack. */
static void look_through_table(lua_State *L)
{
    lua_pushnil(L);
    if (lua_next(L, -2)) {
        lua_pop(L, 2);
        return;
    }
    if (!lua_getmetatable(L, -1))
        return;
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (lua_istable(L, -1))
        lua_remove(L, -2);
    else
        lua_pop(L, 1);
}

static bool is_within_table(const struct state *state, const void *table)
{
    for (int i = 0; i < state->level; i++)
        if (state->within[i] == table)
            return true;
    return false;
}

static bool is_empty_table(lua_State *L, int table)
{
    lua_pushnil(L);
    if (!lua_next(L, table))
        return true;
    lua_pop(L, 2);
    return false;
}

static void write_shown_table(lua_State *L, int index, struct state *state, struct buf *out)
{
    struct parts parts = { .count = 0 };
    int top = lua_gettop(L);

    luaL_checkstack(L, 16, "tables within tables");
    lua_pushvalue(L, index);
    look_through_table(L);
    index = lua_gettop(L);
    if (is_within_table(state, lua_topointer(L, index))) {
        buf_lit(out, "{...}");
    } else if (is_empty_table(L, index)) {
        buf_lit(out, "{}");
    } else if (state->level >= state->depth || state->bytes > SHOW_BYTES) {
        buf_lit(out, "{...}");
    } else {
        parts.text = bind_buffer(L);
        parts.ends = bind_buffer(L);
        state->within[state->level++] = lua_topointer(L, index);
        write_parts(L, index, state, &parts);
        state->level--;
        join_parts(&parts, state, out);
        buf_free(parts.text);
        buf_free(parts.ends);
    }
    lua_settop(L, top);
}

/* --- any value ----------------------------------------------------------------------------- */

static void write_shown_value(lua_State *L, int index, struct state *state, struct buf *out)
{
    size_t from = out->len, len;
    const char *text;

    if (lua_type(L, index) == LUA_TTABLE) {
        write_shown_table(L, index, state, out);
    } else if (lua_type(L, index) == LUA_TSTRING) {
        text = lua_tolstring(L, index, &len);
        write_string(text, len, state->string, out);
    } else if (lua_islightuserdata(L, index) && !lua_touserdata(L, index)) {
        buf_lit(out, "null"); /* JSON's null */
    } else {
        text = luaL_tolstring(L, index, &len);
        buf_add(out, text, len);
        lua_pop(L, 1);
    }
    state->bytes += out->len - from;
}

static int bounded_limit(int given, int absent, int most)
{
    return given <= 0 ? absent : given < most ? given : most;
}

void show_value(lua_State *L, int index, const struct show_limits *limits, struct buf *out)
{
    struct state state = { .depth = bounded_limit(limits->depth, SHOW_DEPTH, SHOW_DEPTH_MAX),
                           .items = bounded_limit(limits->items, SHOW_ITEMS, INT16_MAX),
                           .width = bounded_limit(limits->width, SHOW_WIDTH, INT_MAX),
                           .string = (size_t)bounded_limit(limits->bytes, SHOW_BYTES, SHOW_BYTES),
                           .hide = limits->hide };

    write_shown_value(L, lua_absindex(L, index), &state, out);
}

const char *show_push(lua_State *L, int index, size_t *len)
{
    struct buf *shown;

    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE || luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
        if (lua_type(L, index) == LUA_TTABLE)
            lua_pop(L, 1);
        return luaL_tolstring(L, index, len);
    }
    shown = bind_buffer(L); /* shown */
    show_value(L, index, &(struct show_limits){ 0 }, shown);
    lua_pushlstring(L, shown->data, shown->len);
    buf_free(shown);
    lua_remove(L, -2); /* text */
    return lua_tolstring(L, -1, len);
}

const char *show_push_error(lua_State *L, int index)
{
    lua_pushfstring(L, "error value is a %s", luaL_typename(L, index));
    if (lua_istable(L, index)) {
        struct buf *shown = bind_buffer(L); /* text, shown */

        show_value(L, index, &(struct show_limits){ .width = 1000000 }, shown);
        lua_pushliteral(L, ": ");
        lua_pushlstring(L, shown->data, shown->len);
        buf_free(shown);
        lua_remove(L, -3);
        lua_concat(L, 3);
    }
    return lua_tostring(L, -1);
}
