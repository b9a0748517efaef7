/* table.sort: Lua's quicksort, turned inside out so that it can stop at any
 * comparison and go on later.
 *
 * It makes the comparisons that Lua's own makes, in the same order, so it leaves
 * the same result even where elements are equal. At each of them the table is
 * complete: who looks at it meanwhile sees all elements, in some order. */
#include <lauxlib.h>
#include <limits.h>
#include <uv.h>

#include "script/budget.h"
#include "script/stdlib/tables.h"

/* The stack while it sorts; above, what the comparison at hand needs. */
enum { AT_LIST = 1, AT_LESS, AT_SORT };

/* From this size on, a bad split makes later ones look elsewhere for their pivot. */
enum { RANDOM_FROM = 100, BAD_SPLIT = 128 };

/* Which comparison is next, and the values on top of the stack for it. */
enum sort_at {
    SORT_BEGIN, /* none yet */
    SORT_ENDS,  /* first, last:        last < first? */
    SORT_LOW,   /* middle, first:      middle < first? */
    SORT_HIGH,  /* middle, last:       last < middle? */
    SORT_UP,    /* pivot, t[i]:        t[i] < pivot? */
    SORT_DOWN,  /* pivot, t[i], t[j]:  pivot < t[j]? */
    SORT_DONE,
};

struct sort_range {
    unsigned first, last, seed;
};

struct sort {
    enum sort_at at;
    bool asks;                   /* there is a function to ask */
    struct sort_range range;     /* being sorted */
    unsigned middle, i, j;       /* places in it */
    struct sort_range later[64]; /* to be sorted after it; the shorter part always comes first */
    int waiting;
};

/* t[i], t[j] = the value on top, the one under it */
static void set_two(lua_State *L, unsigned i, unsigned j)
{
    lua_seti(L, AT_LIST, i);
    lua_seti(L, AT_LIST, j);
}

static unsigned pick_middle(const struct sort_range *range)
{
    unsigned quarter = (range->last - range->first) / 4;

    if (range->last - range->first < RANDOM_FROM || range->seed == 0)
        return range->first + (range->last - range->first) / 2;
    return range->seed % (quarter * 2) + range->first + quarter;
}

/* Goes on with the next part that has something to sort. */
static enum sort_at begin_span(lua_State *L, struct sort *sort)
{
    while (sort->range.first >= sort->range.last) {
        if (sort->waiting == 0)
            return SORT_DONE;
        sort->range = sort->later[--sort->waiting];
    }
    lua_geti(L, AT_LIST, sort->range.first);
    lua_geti(L, AT_LIST, sort->range.last);
    return SORT_ENDS;
}

static enum sort_at skip_span(lua_State *L, struct sort *sort)
{
    sort->range.first = sort->range.last;
    return begin_span(L, sort);
}

static enum sort_at after_ends(lua_State *L, struct sort *sort, bool less)
{
    struct sort_range *range = &sort->range;

    if (less)
        set_two(L, range->first, range->last);
    else
        lua_pop(L, 2);
    if (range->last - range->first == 1)
        return skip_span(L, sort);
    sort->middle = pick_middle(range);
    lua_geti(L, AT_LIST, sort->middle);
    lua_geti(L, AT_LIST, range->first);
    return SORT_LOW;
}

/* The ends and the middle are in order: t[middle] divides the others. */
static enum sort_at begin_split(lua_State *L, struct sort *sort)
{
    struct sort_range *range = &sort->range;

    if (range->last - range->first == 2)
        return skip_span(L, sort);
    lua_geti(L, AT_LIST, sort->middle); /* pivot */
    lua_pushvalue(L, -1);
    lua_geti(L, AT_LIST, range->last - 1);
    set_two(L, sort->middle, range->last - 1); /* pivot */
    sort->i = range->first + 1;
    sort->j = range->last - 1;
    lua_geti(L, AT_LIST, sort->i);
    return SORT_UP;
}

static enum sort_at after_low(lua_State *L, struct sort *sort, bool less)
{
    if (less) {
        set_two(L, sort->middle, sort->range.first);
        return begin_split(L, sort);
    }
    lua_pop(L, 1);
    lua_geti(L, AT_LIST, sort->range.last);
    return SORT_HIGH;
}

static enum sort_at after_high(lua_State *L, struct sort *sort, bool less)
{
    if (less)
        set_two(L, sort->middle, sort->range.last);
    else
        lua_pop(L, 2);
    return begin_split(L, sort);
}

static enum sort_at after_up(lua_State *L, struct sort *sort, bool less)
{
    if (!less) {
        lua_geti(L, AT_LIST, --sort->j);
        return SORT_DOWN;
    }
    if (sort->i == sort->range.last - 1)
        luaL_error(L, "invalid order function for sorting");
    lua_pop(L, 1);
    lua_geti(L, AT_LIST, ++sort->i);
    return SORT_UP;
}

/* Both parts are left to sort: the shorter one now, so that few ever wait. */
static void split_at(struct sort *sort, unsigned pivot)
{
    struct sort_range low = sort->range, high = sort->range;
    struct sort_range *shorter = &low, *longer = &high;
    unsigned size;

    low.last = pivot - 1;
    high.first = pivot + 1;
    if (pivot - low.first >= high.last - pivot) {
        shorter = &high;
        longer = &low;
    }
    size = shorter->last - shorter->first + 1;
    if ((longer->last - longer->first) / BAD_SPLIT > size)
        longer->seed = (unsigned)(uv_hrtime() >> 6) | 1;
    sort->later[sort->waiting++] = *longer;
    sort->range = *shorter;
}

static enum sort_at after_down(lua_State *L, struct sort *sort, bool less)
{
    if (less) {
        if (sort->j < sort->i)
            luaL_error(L, "invalid order function for sorting");
        lua_pop(L, 1);
        lua_geti(L, AT_LIST, --sort->j);
        return SORT_DOWN;
    }
    if (sort->j >= sort->i) {
        set_two(L, sort->i, sort->j); /* pivot */
        lua_geti(L, AT_LIST, ++sort->i);
        return SORT_UP;
    }
    lua_pop(L, 1);                             /* pivot, t[i] */
    set_two(L, sort->range.last - 1, sort->i); /* the pivot is where it belongs */
    split_at(sort, sort->i);
    return begin_span(L, sort);
}

/* Takes the answer of a comparison, pops its values and pushes those of the next. */
static enum sort_at advance(lua_State *L, struct sort *sort, bool less)
{
    switch (sort->at) {
    case SORT_ENDS:
        return after_ends(L, sort, less);
    case SORT_LOW:
        return after_low(L, sort, less);
    case SORT_HIGH:
        return after_high(L, sort, less);
    case SORT_UP:
        return after_up(L, sort, less);
    case SORT_DOWN:
        return after_down(L, sort, less);
    default:
        return begin_span(L, sort);
    }
}

/* --- comparing ------------------------------------------------------------------- */

/* Is *a < *b? Where the two are, from the top. */
static const struct {
    int a, b;
} operands[] = {
    [SORT_ENDS] = { -1, -2 }, [SORT_LOW] = { -2, -1 },  [SORT_HIGH] = { -1, -2 },
    [SORT_UP] = { -1, -2 },   [SORT_DOWN] = { -3, -1 },
};

/* Pushes what decides: the function, or a metamethod. False: Lua itself does. */
static bool push_less(lua_State *L, const struct sort *sort, int a, int b)
{
    int type;

    if (sort->asks) {
        lua_pushvalue(L, AT_LESS);
        return true;
    }
    type = lua_type(L, a);
    if ((type == LUA_TNUMBER || type == LUA_TSTRING) && lua_type(L, b) == type)
        return false;
    return luaL_getmetafield(L, a, "__lt") != LUA_TNIL ||
           luaL_getmetafield(L, b, "__lt") != LUA_TNIL;
}

static int answered(lua_State *L, int status, lua_KContext context);

static bool is_less(lua_State *L, const struct sort *sort)
{
    int a = operands[sort->at].a, b = operands[sort->at].b;
    bool less;

    if (!push_less(L, sort, a, b))
        return lua_compare(L, a, b, LUA_OPLT);
    lua_pushvalue(L, a - 1);
    lua_pushvalue(L, b - 2);
    lua_callk(L, 2, 1, 0, answered);
    less = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return less;
}

static int go_on(lua_State *L, int status, lua_KContext context)
{
    struct budget budget = { .L = L };
    struct sort *sort = lua_touserdata(L, AT_SORT);

    (void)status;
    (void)context;
    while (sort->at != SORT_DONE) {
        if (budget.over)
            return lua_yieldk(L, 0, 0, go_on);
        sort->at = advance(L, sort, is_less(L, sort));
        budget_step(&budget, 16);
    }
    return 0;
}

/* The function has returned after a break. */
static int answered(lua_State *L, int status, lua_KContext context)
{
    struct sort *sort = lua_touserdata(L, AT_SORT);
    bool less = lua_toboolean(L, -1);

    lua_pop(L, 1);
    sort->at = advance(L, sort, less);
    return go_on(L, status, context);
}

int tables_sort(lua_State *L)
{
    struct sort *sort;
    lua_Integer len;

    tables_check(L, AT_LIST, TABLE_READ | TABLE_WRITE | TABLE_LENGTH);
    len = luaL_len(L, AT_LIST);
    if (len < 2)
        return 0;
    luaL_argcheck(L, len < INT_MAX, AT_LIST, "array too big");
    if (!lua_isnoneornil(L, AT_LESS))
        luaL_checktype(L, AT_LESS, LUA_TFUNCTION);
    lua_settop(L, AT_LESS);
    sort = lua_newuserdatauv(L, sizeof *sort, 0);
    sort->range = (struct sort_range){ 1, (unsigned)len, 0 };
    sort->waiting = 0;
    sort->asks = !lua_isnil(L, AT_LESS);
    sort->at = begin_span(L, sort);
    return go_on(L, LUA_OK, 0);
}
