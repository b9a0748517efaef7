#include "script/wait_line.h"

#include <lauxlib.h>
#include <math.h>

#include "base/timer.h"
#include "script/bind.h"
#include "script/vm.h"

#define PLACE "wait_line.place"

struct place {
    struct op op; /* its task; NULL: it does not wait now */
    struct timer *timer;
    struct link link;
    struct wait_line *line;
    const struct wait_kind *kind;
    uint32_t key;
    uint64_t until; /* bind_now(); WAIT_FOREVER: no limit */
};

static struct place *place_of(struct link *link)
{
    return container_of(link, struct place, link);
}

static void leave_line(struct place *place)
{
    timer_forget(place->timer);
    place->timer = NULL;
    place->op.task = NULL;
    list_remove(&place->link);
}

static void on_wait_cancelled(struct op *op)
{
    leave_line(container_of(op, struct place, op));
}

static void wake_place(struct place *place)
{
    task_wake(&place->op, 0);
    leave_line(place);
}

static void on_wait_over(void *arg)
{
    struct place *place = arg;

    place->timer = NULL;
    wake_place(place);
}

/* --- the task --------------------------------------------------------------------------------- */

static int place_gc(lua_State *L)
{
    leave_line(lua_touserdata(L, 1));
    return 0;
}

static struct place *push_place(lua_State *L)
{
    struct place *place = lua_newuserdatauv(L, sizeof *place, 0);

    *place = (struct place){ .until = WAIT_FOREVER };
    list_init(&place->link);
    if (luaL_newmetatable(L, PLACE)) {
        lua_pushcfunction(L, place_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return place;
}

static int take_turn(lua_State *L, int status, lua_KContext context)
{
    struct place *place = (struct place *)context;
    int top = lua_gettop(L), results;
    uint64_t now = bind_now();

    (void)status;
    results = place->kind->take(L, now >= place->until ? WAIT_LATE : WAIT_TRY);
    if (results)
        return results;
    lua_settop(L, top);
    place->op = (struct op){ task_here(L), on_wait_cancelled, place->kind->what, NULL };
    if (place->until != WAIT_FOREVER)
        place->timer = timer_after(vm_loop(vm_of(L)), place->until > now ? place->until - now : 0,
                                   on_wait_over, place);
    list_push(&place->line->places, &place->link);
    return task_park_then(L, &place->op, context, take_turn);
}

int wait_in_line(lua_State *L, struct wait_line *line, const struct wait_kind *kind, uint32_t key,
                 uint64_t ms)
{
    struct place *place;

    task_here(L);
    if (!kind->many && wait_line_busy(line, key))
        return kind->take(L, WAIT_BUSY);
    place = push_place(L);
    place->line = line;
    place->kind = kind;
    place->key = key;
    place->until = ms == WAIT_FOREVER ? ms : bind_now() + ms;
    return take_turn(L, LUA_OK, (lua_KContext)place);
}

uint64_t wait_argument(lua_State *L, int arg)
{
    double seconds = luaL_optnumber(L, arg, HUGE_VAL);

    luaL_argcheck(L, seconds >= 0, arg, "seconds expected, 0 or more");
    return seconds < 1e9 ? (uint64_t)ceil(seconds * 1000) : WAIT_FOREVER;
}

void wait_at_most(lua_State *L, uint64_t ms)
{
    struct place *place = luaL_checkudata(L, -1, PLACE);
    uint64_t until = bind_now() + ms;

    if (until < place->until)
        place->until = until;
}

/* --- the line --------------------------------------------------------------------------------- */

bool wait_line_busy(const struct wait_line *line, uint32_t key)
{
    list_each (link, &line->places) {
        if (place_of(link)->key == key)
            return true;
    }
    return false;
}

void wait_line_wake(struct wait_line *line)
{
    if (!list_empty(&line->places))
        wake_place(place_of(line->places.next));
}

void wait_line_wake_all(struct wait_line *line)
{
    while (!list_empty(&line->places))
        wait_line_wake(line);
}

void wait_line_wake_ready(struct wait_line *line, bool (*ready)(const void *arg, uint32_t key),
                          const void *arg)
{
    list_each (link, &line->places) {
        if (ready(arg, place_of(link)->key))
            wake_place(place_of(link));
    }
}
