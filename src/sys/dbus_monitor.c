#include "sys/dbus_monitor.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "json/document.h"
#include "process/bus.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/shared/pool.h"
#include "sys/sys.h"

#define MONITOR "sys.dbus.Monitor"

enum { OPEN_MS = 2000, WAIT_SECONDS_MAX = 86400, VALUES = 8, VALUES_MAX = 64 };

/* The part that libuv uses. It outlives the userdata until its handle is closed. */
struct ear {
    uv_poll_t poll;
    struct waiting_task *waiting; /* NULL: closed */
};

struct monitor {
    struct bus_monitor *bus; /* NULL: closed */
    struct ear *ear;
    struct waiting_task waiting;
    uint64_t until; /* the end of the wait, a time of bind_now() */
};

static struct monitor *check_monitor(lua_State *L)
{
    return luaL_checkudata(L, 1, MONITOR);
}

/* --- opening ----------------------------------------------------------------------------- */

struct open_work {
    struct pool_work pool;
    char *address, *interface, *member; /* owned; address NULL: the session's */
    int values;
    struct bus_monitor *bus; /* owned, until the monitor has it */
};

static void monitor_open_free(struct pool_work *pool)
{
    struct open_work *work = container_of(pool, struct open_work, pool);

    bus_monitor_close(work->bus);
    free(work->address);
    free(work->interface);
    free(work->member);
    free(work);
}

static bool monitor_open_run(struct pool_work *pool)
{
    struct open_work *work = container_of(pool, struct open_work, pool);
    struct bus_overheard what = { work->interface, work->member, work->values };

    work->bus = bus_monitor_open(work->address, &what, OPEN_MS, &pool->err);
    return work->bus != NULL;
}

static void on_ear_readable(uv_poll_t *poll, int status, int events)
{
    struct ear *ear = container_of(poll, struct ear, poll);

    (void)status; /* reading the bus finds the fault */
    (void)events;
    uv_poll_stop(poll);
    if (ear->waiting)
        waiting_task_wake(ear->waiting);
}

static void monitor_ear_free(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct ear, poll));
}

static int monitor_open_push(lua_State *L, struct pool_work *pool)
{
    struct open_work *work = container_of(pool, struct open_work, pool);
    struct monitor *monitor = lua_newuserdatauv(L, sizeof *monitor, 0);
    struct ear *ear;

    *monitor = (struct monitor){ 0 };
    luaL_setmetatable(L, MONITOR);
    ear = mem_zero(sizeof *ear);
    if (uv_poll_init(vm_loop(vm_of(L)), &ear->poll, bus_monitor_fd(work->bus)) != 0) {
        free(ear);
        return bind_fail(L, "no_bus", "the connection to the D-Bus cannot be waited for");
    }
    ear->waiting = &monitor->waiting;
    monitor->ear = ear;
    monitor->bus = work->bus;
    work->bus = NULL;
    return 1;
}

static char *copy_text(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

int dbus_monitor(lua_State *L)
{
    static const char *const names[] = { "interface", "member", "values", NULL };
    const char *address = luaL_checkstring(L, 1), *interface, *member;
    struct open_work *work;
    struct error err;
    int values;

    luaL_checktype(L, 2, LUA_TTABLE);
    bind_check_fields(L, 2, names);
    interface = bind_text(L, 2, "interface", NULL);
    member = bind_text(L, 2, "member", NULL);
    values = (int)bind_number(L, 2, "values", VALUES, 0, VALUES_MAX);
    luaL_argexpected(L, interface && member, 2, "interface and member");
    if (!bus_ready(&err))
        return bind_error(L, &err);
    work = pool_new(L, sizeof *work, monitor_open_free);
    work->pool.run = monitor_open_run;
    work->pool.push = monitor_open_push;
    work->address = strcmp(address, "session") == 0 ? NULL : copy_text(address);
    work->interface = copy_text(interface);
    work->member = copy_text(member);
    work->values = values;
    return pool_run(L, &work->pool);
}

/* --- waiting ----------------------------------------------------------------------------- */

static int push_overheard_call(lua_State *L, const struct buf *text)
{
    static const struct json_limits limits = { BUS_ANSWER_MAX, 256, 1000000 };
    struct json_doc **call = bind_document(L);
    struct error err;

    *call = json_parse(text->data, text->len, &limits, &err);
    if (!*call)
        return bind_fail(L, "too_large", "a call was overheard that is too large: %s", err.text);
    value_push_json(L, json_root(*call));
    return 1;
}

/* Takes a call that is there, otherwise waits for the rest of the time. */
static int take_overheard_call(lua_State *L, int status, lua_KContext context)
{
    struct monitor *monitor = check_monitor(L);
    uint64_t now = bind_now();
    struct buf *text;
    struct error err;

    (void)status;
    (void)context;
    lua_settop(L, 1);
    if (!monitor->bus)
        return bind_fail(L, "closed", "the monitor was closed");
    uv_poll_stop(&monitor->ear->poll);
    text = bind_buffer(L);
    switch (bus_monitor_next(monitor->bus, text, &err)) {
    case BUS_CAME:
        return push_overheard_call(L, text);
    case BUS_LOST:
        return bind_error(L, &err);
    default:
        break;
    }
    if (now >= monitor->until)
        return bind_fail(L, "timeout", "no call was overheard in time");
    uv_poll_start(&monitor->ear->poll, UV_READABLE | UV_DISCONNECT, on_ear_readable);
    return waiting_task_park(L, &monitor->waiting, "a D-Bus message", monitor->until - now,
                             take_overheard_call);
}

/* monitor:next(timeout) -> { sender =, values = } | nil, text, code */
static int monitor_next(lua_State *L)
{
    struct monitor *monitor = check_monitor(L);
    uint64_t ms = bind_milliseconds(L, 2, 30, WAIT_SECONDS_MAX);

    if (waiting_task_busy(&monitor->waiting))
        return bind_fail(L, "busy", "another task is waiting for this monitor");
    monitor->until = bind_now() + ms;
    return take_overheard_call(L, LUA_OK, 0);
}

/* monitor:close(), and its __close and __gc */
static int monitor_close(lua_State *L)
{
    struct monitor *monitor = check_monitor(L);

    if (!monitor->bus)
        return 0;
    monitor->ear->waiting = NULL;
    uv_close((uv_handle_t *)&monitor->ear->poll, monitor_ear_free);
    bus_monitor_close(monitor->bus);
    monitor->bus = NULL;
    waiting_task_wake(&monitor->waiting);
    return 0;
}

void dbus_monitor_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", monitor_close },
                                     { "__gc", monitor_close },
                                     { NULL, NULL } };
    static const luaL_Reg monitor_methods[] = { { "close", monitor_close },
                                                { "next", monitor_next },
                                                { NULL, NULL } };

    bind_metatable(L, MONITOR, meta, monitor_methods);
}
