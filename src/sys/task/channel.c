/* sys.task.channel -- values from one task to another, in order.
 *
 * The values wait in a table of the channel. A task that cannot go on waits in the line of
 * receivers, or of senders, of each channel that it uses. Nothing is handed to it: it is woken,
 * looks again and takes for itself what there is, in its own protected code. So a value is never on
 * its way to a task that has been ended. A task that leaves a line, for whatever reason, wakes the
 * next one that could go on now. */
#include "sys/task/channel.h"

#include <lauxlib.h>
#include <math.h>

#include "base/list.h"
#include "base/timer.h"
#include "script/bind.h"
#include "script/task.h"
#include "script/vm.h"

#define CHANNEL "sys.task.Channel"
#define WAIT    "sys.task.channel wait"

enum { CAPACITY_MAX = 100000, SELECT_MAX = 16, WAIT_SECONDS_MAX = 86400 };

enum { AT_VALUES = 1 }; /* the user value, a table of values by number, first to last */

struct channel {
    lua_Integer first, last; /* numbers of the oldest value and the newest; last < first: none */
    lua_Integer capacity;
    int receiving; /* tasks in the line of receivers */
    bool closed;
    struct link receivers, senders; /* struct place: tasks that wait */
};

/* The place of a task in a line. */
struct place {
    struct link link;
    struct channel *channel;
    struct channel_wait *wait;
};

/* The wait of a task. It lies on the task's stack and is closed with it. */
struct channel_wait {
    struct op op;
    struct timer *timer;
    uint64_t until; /* bind_now(); 0: no limit */
    bool sends;
    bool woken; /* it was in line before, so its place is the first now */
    int count;
    struct place places[];
};

/* --- tasks that can go on ------------------------------------------------------------ */

static lua_Integer held_values(const struct channel *channel)
{
    return channel->last - channel->first + 1;
}

static bool can_receive(const struct channel *channel)
{
    return channel->closed || held_values(channel) > 0;
}

/* True if a value may be added: one for each task that waits for one, and as many as the channel
 * holds. */
static bool can_send(const struct channel *channel)
{
    return channel->closed || held_values(channel) < channel->capacity + channel->receiving;
}

static void leave_lines(struct channel_wait *wait)
{
    for (int i = 0; i < wait->count; i++) {
        list_remove(&wait->places[i].link);
        wait->places[i].channel->receiving -= !wait->sends;
    }
    timer_forget(wait->timer);
    wait->timer = NULL;
}

static void wake_first_wait(struct link *line)
{
    struct channel_wait *wait;

    if (list_empty(line))
        return;
    wait = container_of(line->next, struct place, link)->wait;
    leave_lines(wait);
    task_wake(&wait->op, 0);
}

/* Wakes one task of each line that can go on. That one tells the next. */
static void channel_tell(struct channel *channel)
{
    if (can_receive(channel))
        wake_first_wait(&channel->receivers);
    if (can_send(channel))
        wake_first_wait(&channel->senders);
}

/* --- waiting ------------------------------------------------------------------------- */

static void channel_wait_cancel(struct op *op)
{
    leave_lines(container_of(op, struct channel_wait, op));
}

static void on_wait_late(void *arg)
{
    struct channel_wait *wait = arg;

    wait->timer = NULL;
    leave_lines(wait);
    task_wake(&wait->op, 0);
}

/* Ends a wait: the task goes on, is ended, or failed. If it was woken and did not take what there
 * is, others may take it. */
static int channel_wait_close(lua_State *L)
{
    struct channel_wait *wait = luaL_checkudata(L, 1, WAIT);

    for (int i = 0; i < wait->count; i++)
        channel_tell(wait->places[i].channel);
    wait->count = 0;
    return 0;
}

static struct channel_wait *push_wait(lua_State *L, int count, bool sends, uint64_t until)
{
    struct channel_wait *wait =
        lua_newuserdatauv(L, sizeof *wait + (size_t)count * sizeof *wait->places, 0);

    *wait = (struct channel_wait){ .op = { task_here(L), channel_wait_cancel, "a channel", NULL },
                                   .until = until,
                                   .sends = sends };
    luaL_setmetatable(L, WAIT);
    lua_toclose(L, -1);
    return wait;
}

static void add_wait_place(struct channel_wait *wait, struct channel *channel)
{
    struct place *place = &wait->places[wait->count++];

    *place = (struct place){ .channel = channel, .wait = wait };
    list_init(&place->link);
}

/* Puts the task in line. False: its time is over. */
static bool stand_in_line(lua_State *L, struct channel_wait *wait)
{
    uint64_t now = bind_now();

    if (wait->until && now >= wait->until)
        return false;
    for (int i = 0; i < wait->count; i++) {
        struct place *place = &wait->places[i];
        struct link *line = wait->sends ? &place->channel->senders : &place->channel->receivers;

        list_push(wait->woken ? line->next : line, &place->link);
        place->channel->receiving += !wait->sends;
    }
    wait->woken = true;
    for (int i = 0; i < wait->count && !wait->sends; i++) /* somebody may be able to send now */
        channel_tell(wait->places[i].channel);
    if (wait->until)
        wait->timer = timer_after(vm_loop(vm_of(L)), wait->until - now, on_wait_late, wait);
    return true;
}

/* --- send ------------------------------------------------------------------------------ */

static struct channel *check_channel(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, CHANNEL);
}

/* Reads an optional limit in seconds as a time of bind_now(). 0: none. */
static uint64_t read_limit(lua_State *L, int arg)
{
    lua_Number seconds;

    if (lua_isnoneornil(L, arg))
        return 0;
    seconds = luaL_checknumber(L, arg);
    luaL_argcheck(L, seconds >= 0 && seconds <= WAIT_SECONDS_MAX, arg,
                  "expected 0 to 86400 seconds");
    return bind_now() + (uint64_t)ceil(seconds * 1000);
}

/* Called with (channel, value). Adds the value. */
static int put_value(lua_State *L, struct channel *channel)
{
    if (channel->closed)
        return bind_fail(L, "closed", "the channel is closed");
    lua_getiuservalue(L, 1, AT_VALUES);
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, channel->last + 1);
    channel->last++;
    channel_tell(channel);
    lua_pushboolean(L, 1);
    return 1;
}

/* Called with (channel, value, seconds, wait). */
static int send_value_again(lua_State *L, int status, lua_KContext context)
{
    struct channel *channel = check_channel(L, 1);
    struct channel_wait *wait = lua_touserdata(L, 4);

    (void)status;
    (void)context;
    lua_settop(L, 4);
    if (can_send(channel))
        return put_value(L, channel);
    if (stand_in_line(L, wait))
        return task_park_then(L, &wait->op, 0, send_value_again);
    return bind_fail(L, "timeout", "no task received the value within %g s", lua_tonumber(L, 3));
}

/* channel:send(value [, seconds]) -> true | nil, text, code */
static int channel_send(lua_State *L)
{
    struct channel *channel = check_channel(L, 1);
    uint64_t until = read_limit(L, 3);

    luaL_argcheck(L, !lua_isnoneornil(L, 2), 2, "a value expected: nil cannot be sent");
    lua_settop(L, 3);
    if (can_send(channel))
        return put_value(L, channel);
    add_wait_place(push_wait(L, 1, true, until), channel);
    return send_value_again(L, LUA_OK, 0);
}

/* --- receive --------------------------------------------------------------------------- */

/* Pushes the oldest value of the channel at this index. */
static void take_channel_value(lua_State *L, int index, struct channel *channel)
{
    index = lua_absindex(L, index);
    lua_getiuservalue(L, index, AT_VALUES); /* values */
    lua_rawgeti(L, -1, channel->first);     /* values, value */
    lua_pushnil(L);
    lua_rawseti(L, -3, channel->first); /* a field may be cleared */
    lua_remove(L, -2);
    if (++channel->first > channel->last)
        channel->first = 1, channel->last = 0; /* the numbers of a list again */
    channel_tell(channel);
}

static int push_received(lua_State *L, struct channel *channel)
{
    if (held_values(channel) == 0)
        return bind_fail(L, "closed", "the channel is closed");
    take_channel_value(L, 1, channel);
    return 1;
}

/* Called with (channel, seconds, wait). */
static int receive_value_again(lua_State *L, int status, lua_KContext context)
{
    struct channel *channel = check_channel(L, 1);
    struct channel_wait *wait = lua_touserdata(L, 3);

    (void)status;
    (void)context;
    lua_settop(L, 3);
    if (can_receive(channel))
        return push_received(L, channel);
    if (stand_in_line(L, wait))
        return task_park_then(L, &wait->op, 0, receive_value_again);
    return bind_fail(L, "timeout", "nothing was sent within %g s", lua_tonumber(L, 2));
}

/* channel:receive([seconds]) -> value | nil, text, code */
static int channel_receive(lua_State *L)
{
    struct channel *channel = check_channel(L, 1);
    uint64_t until = read_limit(L, 2);

    lua_settop(L, 2);
    if (can_receive(channel))
        return push_received(L, channel);
    add_wait_place(push_wait(L, 1, false, until), channel);
    return receive_value_again(L, LUA_OK, 0);
}

/* The iterator of channel:values(); upvalue: the channel. */
static int next_value(lua_State *L)
{
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    return channel_receive(L);
}

/* for value in channel:values() do ... end: goes on until the channel is closed and empty */
static int channel_values(lua_State *L)
{
    check_channel(L, 1);
    lua_settop(L, 1);
    lua_pushcclosure(L, next_value, 1);
    return 1;
}

/* --- select ---------------------------------------------------------------------------- */

/* Called with (channels..., seconds, wait) and `count` channels. */
static int select_channel_again(lua_State *L, int status, lua_KContext context)
{
    int count = (int)context;
    struct channel_wait *wait = lua_touserdata(L, count + 2);

    (void)status;
    lua_settop(L, count + 2);
    for (int i = 1; i <= count; i++) {
        struct channel *channel = lua_touserdata(L, i);

        if (!can_receive(channel))
            continue;
        lua_pushinteger(L, i);
        if (held_values(channel) > 0)
            take_channel_value(L, i, channel);
        else
            lua_pushnil(L);
        return 2;
    }
    if (stand_in_line(L, wait))
        return task_park_then(L, &wait->op, context, select_channel_again);
    return bind_fail(L, "timeout", "nothing was sent within %g s", lua_tonumber(L, count + 1));
}

/* sys.task.select(channels [, seconds]) -> index, value | index, nil: it is closed | nil, text,
 * code */
int task_select(lua_State *L)
{
    uint64_t until = read_limit(L, 2);
    lua_Integer count;
    struct channel_wait *wait;

    luaL_checktype(L, 1, LUA_TTABLE);
    count = (lua_Integer)lua_rawlen(L, 1);
    luaL_argcheck(L, count >= 1 && count <= SELECT_MAX, 1, "1 to 16 channels expected");
    luaL_checkstack(L, (int)count, NULL);
    lua_settop(L, 2); /* channels, seconds */
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, i);
        if (!luaL_testudata(L, -1, CHANNEL))
            return luaL_argerror(L, 1, "a list of channels expected");
        lua_insert(L, -2); /* channels, channel..., seconds */
    }
    lua_remove(L, 1); /* channel..., seconds */
    wait = push_wait(L, (int)count, false, until);
    for (int i = 1; i <= (int)count; i++)
        add_wait_place(wait, lua_touserdata(L, i));
    return select_channel_again(L, LUA_OK, count);
}

/* --- the object ------------------------------------------------------------------------ */

/* sys.task.channel([capacity]) */
int task_channel(lua_State *L)
{
    lua_Integer capacity = luaL_optinteger(L, 1, 0);
    struct channel *channel;

    luaL_argcheck(L, capacity >= 0 && capacity <= CAPACITY_MAX, 1, "expected 0 to 100000 values");
    channel = lua_newuserdatauv(L, sizeof *channel, AT_VALUES);
    *channel = (struct channel){ .first = 1, .capacity = capacity };
    list_init(&channel->receivers);
    list_init(&channel->senders);
    luaL_setmetatable(L, CHANNEL);
    lua_newtable(L);
    lua_setiuservalue(L, -2, AT_VALUES);
    return 1;
}

/* channel:close(), and its __close */
static int channel_close(lua_State *L)
{
    struct channel *channel = check_channel(L, 1);

    channel->closed = true;
    channel_tell(channel);
    return 0;
}

/* #channel -> the number of values that wait in it */
static int channel_len(lua_State *L)
{
    lua_pushinteger(L, held_values(check_channel(L, 1)));
    return 1;
}

void task_channel_init(lua_State *L)
{
    static const luaL_Reg wait_meta[] = { { "__close", channel_wait_close }, { NULL, NULL } };
    static const luaL_Reg meta[] = { { "__close", channel_close },
                                     { "__len", channel_len },
                                     { NULL, NULL } };
    static const luaL_Reg channel_methods[] = { { "close", channel_close },
                                                { "receive", channel_receive },
                                                { "send", channel_send },
                                                { "values", channel_values },
                                                { NULL, NULL } };

    bind_metatable(L, WAIT, wait_meta, NULL);
    bind_metatable(L, CHANNEL, meta, channel_methods);
}
