/* The values of a table lie on Lua's stack while their names are sorted: to look one up again by
 * its name could raise. */
#include "sys/taint/texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH_MAX = 128, NAME_MIN = 7, FEW = 16 };

struct member {
    struct str name;
    int at; /* place of the value on the stack */
};

static void texts_give(struct texts *texts, struct str text)
{
    if (!texts->left) {
        texts->more = true;
        return;
    }
    texts->left--;
    texts->fn(texts->context, text);
}

/* The digits of a whole number, without the cost of a format. */
static struct str integer_digits(lua_Integer number, char *end)
{
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    char *at = end;

    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        *--at = '-';
    return (struct str){ at, (size_t)(end - at) };
}

static void give_number(lua_State *L, int index, struct texts *texts)
{
    char digits[32];

    if (lua_isinteger(L, index))
        texts_give(texts, integer_digits(lua_tointeger(L, index), digits + sizeof digits));
    else
        texts_give(texts, (struct str){ digits, (size_t)snprintf(digits, sizeof digits, "%.14g",
                                                                 lua_tonumber(L, index)) });
}

static int by_member_name(const void *a, const void *b)
{
    struct str left = ((const struct member *)a)->name, right = ((const struct member *)b)->name;
    size_t common = left.len < right.len ? left.len : right.len;
    int order = common ? memcmp(left.ptr, right.ptr, common) : 0;

    return order ? order : (left.len > right.len) - (left.len < right.len);
}

/* Sorts members. Nearly all tables have few. */
static void sort_members(struct member *members, size_t count)
{
    if (count > FEW) {
        qsort(members, count, sizeof *members, by_member_name);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct member member = members[i];
        size_t at = i;

        for (; at && by_member_name(&members[at - 1], &member) > 0; at--)
            members[at] = members[at - 1];
        members[at] = member;
    }
}

static bool is_argument(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (c != '_' && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
            !(i && c >= '0' && c <= '9'))
            return false;
    }
    return true;
}

static void walk_value(lua_State *L, int index, int depth, struct texts *texts);

static void walk_member(lua_State *L, const struct member *member, int depth, struct texts *texts)
{
    if (member->name.len >= NAME_MIN && (depth || !is_argument(member->name)))
        texts_give(texts, member->name);
    walk_value(L, member->at, depth + 1, texts);
}

/* Leaves the values of all keys but 1 to `items` on the stack; false: there is no room for them. */
static bool spread_members(lua_State *L, int table, lua_Integer items, struct member **members,
                           size_t *count, struct member few[FEW])
{
    size_t room = FEW;

    lua_pushnil(L);
    while (lua_next(L, table)) {
        struct member *member;

        if (lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= items) {
            lua_pop(L, 1);
            continue;
        }
        if (!lua_checkstack(L, 4))
            return false;
        if (*count == room) {
            struct member *wider = mem_alloc(2 * room * sizeof *wider);

            memcpy(wider, *members, room * sizeof *wider);
            if (*members != few)
                free(*members);
            *members = wider;
            room *= 2;
        }
        member = &(*members)[(*count)++];
        *member = (struct member){ .at = lua_gettop(L) - 1 };
        if (lua_type(L, -2) == LUA_TSTRING)
            member->name.ptr = lua_tolstring(L, -2, &member->name.len);
        lua_insert(L, -2); /* value, key */
    }
    return true;
}

static void walk_table(lua_State *L, int table, int depth, struct texts *texts)
{
    lua_Integer items = (lua_Integer)lua_rawlen(L, table);
    struct member few[FEW], *members = few;
    int top = lua_gettop(L);
    size_t count = 0;

    for (lua_Integer i = 1; i <= items && !texts->more; i++) {
        lua_rawgeti(L, table, i);
        walk_value(L, top + 1, depth + 1, texts);
        lua_settop(L, top);
    }
    if (!texts->more && !spread_members(L, table, items, &members, &count, few))
        texts->more = true;
    sort_members(members, count);
    for (size_t i = 0; i < count && !texts->more; i++)
        walk_member(L, &members[i], depth, texts);
    if (count && members != few)
        free(members);
    lua_settop(L, top);
}

static void walk_value(lua_State *L, int index, int depth, struct texts *texts)
{
    struct str text;

    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        text.ptr = lua_tolstring(L, index, &text.len);
        texts_give(texts, text);
        break;
    case LUA_TNUMBER:
        give_number(L, index, texts);
        break;
    case LUA_TTABLE:
        if (depth > DEPTH_MAX || !texts->left || !lua_checkstack(L, 8)) {
            texts->more = true;
            break;
        }
        texts->left--; /* tables may hold each other */
        walk_table(L, index, depth, texts);
        break;
    default:
        break;
    }
}

void texts_of(lua_State *L, int index, struct texts *texts)
{
    walk_value(L, lua_absindex(L, index), 0, texts);
}

/* --- in other orders -------------------------------------------------------------------------- */

struct ordering {
    struct orders *orders; /* those of the table with names that is read */
    size_t left;
    void (*fn)(void *context, const struct orders *orders);
    void *context;
};

static void order_piece(void *context, struct str text)
{
    orders_add(((struct ordering *)context)->orders, text);
}

static void order_alone(lua_State *L, int index, int depth, struct ordering *ordering);

/* Adds a value that is no table. */
static void order_plain(lua_State *L, int index, struct ordering *ordering)
{
    struct texts one = { order_piece, ordering, 1, false };

    walk_value(L, index, 0, &one);
}

/* The items of a list are one piece; tables in it are read by themselves. */
static void order_items(lua_State *L, int table, lua_Integer items, int depth,
                        struct ordering *ordering)
{
    int top = lua_gettop(L);

    orders_open(ordering->orders);
    for (lua_Integer i = 1; i <= items && ordering->left; i++) {
        lua_rawgeti(L, table, i);
        if (!lua_istable(L, -1)) {
            ordering->left--;
            order_plain(L, top + 1, ordering);
        }
        lua_settop(L, top);
    }
    orders_close(ordering->orders);
    for (lua_Integer i = 1; i <= items && ordering->left; i++) {
        lua_rawgeti(L, table, i);
        if (lua_istable(L, -1))
            order_alone(L, top + 1, depth + 1, ordering);
        lua_settop(L, top);
    }
}

static void order_value(lua_State *L, int index, int depth, struct ordering *ordering)
{
    lua_Integer items;

    if (!ordering->left || depth > DEPTH_MAX || !lua_checkstack(L, 8))
        return; /* texts_of() says that there was more */
    ordering->left--;
    if (!lua_istable(L, index)) {
        order_plain(L, index, ordering);
        return;
    }
    items = (lua_Integer)lua_rawlen(L, index);
    if (items)
        order_items(L, index, items, depth, ordering);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > items)
            order_value(L, lua_gettop(L), depth + 1, ordering);
        lua_pop(L, 1);
    }
}

static void order_alone(lua_State *L, int index, int depth, struct ordering *ordering)
{
    struct orders own = { 0 }, *outer = ordering->orders;

    ordering->orders = &own;
    order_value(L, index, depth, ordering);
    if (own.count > 1)
        ordering->fn(ordering->context, &own);
    orders_free(&own);
    ordering->orders = outer;
}

void texts_orders(lua_State *L, int index, size_t left,
                  void (*fn)(void *context, const struct orders *orders), void *context)
{
    struct ordering ordering = { NULL, left, fn, context };

    order_alone(L, lua_absindex(L, index), 0, &ordering);
}
