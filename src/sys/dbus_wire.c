/* Any number of tasks may wait for answers to their calls, by their serial numbers, and one task
 * for other messages, by the number 0. */
#include "sys/dbus_wire.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/dry_run.h"
#include "json/document.h"
#include "process/bus.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/wait_line.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

#define WIRE "sys.dbus.Wire"
#define CALL "sys.dbus.sent"

enum {
    OPEN_S = 2,
    OPEN_MAX_S = 60,
    CALL_S = 5,
    WAIT_SECONDS_MAX = 86400,
    VALUES_MAX = 64,
    WIRES_MAX = 500, /* open at once, each with a descriptor */
};

static int open_wires; /* number of wires of this process; used by the main thread alone */

struct wire;

/* The part that libuv uses. It outlives the userdata until its handle is closed. */
struct ear {
    uv_poll_t poll;
    struct wire *wire; /* NULL: closed */
};

struct wire {
    struct bus_wire *bus; /* NULL: closed */
    struct ear *ear;
    struct wait_line line;
};

/* A call that was sent, on the stack of the task that waits for its answer. */
struct sent {
    struct wire *wire; /* its userdata is on the same stack; NULL: the answer was taken */
    uint32_t serial;
};

static struct wire *check_wire(lua_State *L)
{
    return luaL_checkudata(L, 1, WIRE);
}

/* --- the loop ------------------------------------------------------------------------------- */

static bool has_message(const void *arg, uint32_t serial)
{
    const struct wire *wire = arg;

    return bus_wire_ready(wire->bus, serial);
}

static void on_ear_polled(uv_poll_t *poll, int status, int events);

/* Polls for what the wire can go on with. A wire that is lost has no descriptor. */
static void ear_listen_again(struct ear *ear)
{
    struct bus_wire *bus = ear->wire->bus;

    if (bus_wire_fd(bus) < 0)
        uv_poll_stop(&ear->poll);
    else
        uv_poll_start(&ear->poll,
                      UV_READABLE | UV_DISCONNECT | (bus_wire_unsent(bus) ? UV_WRITABLE : 0),
                      on_ear_polled);
}

static void on_ear_polled(uv_poll_t *poll, int status, int events)
{
    struct ear *ear = container_of(poll, struct ear, poll);

    (void)status; /* reading the bus finds the fault */
    (void)events;
    if (!ear->wire)
        return;
    bus_wire_turn(ear->wire->bus);
    ear_listen_again(ear);
    wait_line_wake_ready(&ear->wire->line, has_message, ear->wire);
}

static void wire_ear_free(uv_handle_t *handle)
{
    free(container_of((uv_poll_t *)handle, struct ear, poll));
}

/* --- opening and closing -------------------------------------------------------------------- */

struct open_work {
    struct thread_call call;
    char *address; /* owned; NULL: the session's */
    uint64_t ms;
    struct bus_wire_options options;
    struct bus_wire *bus; /* owned, until the wire has it */
};

static void wire_open_clear(struct thread_call *call)
{
    struct open_work *work = container_of(call, struct open_work, call);

    bus_wire_close(work->bus);
    free(work->address);
}

static bool wire_open_run(struct thread_call *call, struct error *err)
{
    struct open_work *work = container_of(call, struct open_work, call);

    work->bus = bus_wire_open(work->address, &work->options, work->ms, err);
    return work->bus != NULL;
}

static int wire_open_push(lua_State *L, struct thread_call *call)
{
    struct open_work *work = container_of(call, struct open_work, call);
    struct wire *wire = lua_newuserdatauv(L, sizeof *wire, 1); /* its bus */
    struct ear *ear;

    *wire = (struct wire){ 0 };
    list_init(&wire->line.places);
    luaL_setmetatable(L, WIRE);
    lua_pushstring(L, work->address ? work->address : "session");
    lua_setiuservalue(L, -2, 1);
    ear = mem_zero(sizeof *ear);
    if (bus_wire_fd(work->bus) < 0 ||
        uv_poll_init(vm_loop(vm_of(L)), &ear->poll, bus_wire_fd(work->bus)) != 0) {
        free(ear);
        return bind_fail(L, "no_bus", "the connection to the D-Bus cannot be waited for");
    }
    ear->wire = wire;
    wire->ear = ear;
    wire->bus = work->bus;
    work->bus = NULL;
    open_wires++;
    uv_unref((uv_handle_t *)&ear->poll); /* a wire alone does not keep the loop */
    ear_listen_again(ear);
    return 1;
}

int dbus_connect(lua_State *L)
{
    static const char *const names[] = { "timeout", "capacity", "values", NULL };
    const char *address = luaL_checkstring(L, 1);
    double seconds = OPEN_S, queue = BUS_WIRE_QUEUE, values = 0;
    struct open_work *work;
    struct error err;

    if (!lua_isnoneornil(L, 2)) {
        luaL_checktype(L, 2, LUA_TTABLE);
        bind_check_fields(L, 2, names);
        seconds = bind_number(L, 2, "timeout", OPEN_S, 0, OPEN_MAX_S);
        queue = bind_number(L, 2, "capacity", BUS_WIRE_QUEUE, 1, BUS_WIRE_QUEUE_MAX);
        values = bind_number(L, 2, "values", 0, 0, VALUES_MAX);
    }
    if (!bus_ready(&err))
        return bind_error(L, &err);
    if (open_wires >= WIRES_MAX)
        return bind_fail(L, "too_many", "%d connections to the D-Bus are open. Close some",
                         open_wires);
    work = thread_call_new(L, sizeof *work, wire_open_clear);
    work->call.run = wire_open_run;
    work->call.push = wire_open_push;
    work->ms = (uint64_t)ceil(seconds * 1000);
    work->options = (struct bus_wire_options){ (size_t)queue, (int)values };
    work->address = strcmp(address, "session") == 0 ? NULL : mem_strdup(address);
    return thread_call_in_pool(L, &work->call);
}

/* wire:close(), and its __close and __gc */
static int wire_close(lua_State *L)
{
    struct wire *wire = check_wire(L);

    if (!wire->bus)
        return 0;
    wire->ear->wire = NULL;
    uv_close((uv_handle_t *)&wire->ear->poll, wire_ear_free);
    bus_wire_close(wire->bus);
    wire->bus = NULL;
    open_wires--;
    wait_line_wake_all(&wire->line);
    return 0;
}

static int wire_name(lua_State *L)
{
    struct wire *wire = check_wire(L);

    if (!wire->bus)
        return bind_fail(L, "closed", "the connection was closed");
    lua_pushstring(L, bus_wire_name(wire->bus));
    return 1;
}

/* wire:bus() -> the bus, as connect() got it */
static int wire_bus(lua_State *L)
{
    check_wire(L);
    lua_getiuservalue(L, 1, 1);
    return 1;
}

/* wire:dropped() -> number */
static int wire_dropped(lua_State *L)
{
    struct wire *wire = check_wire(L);

    lua_pushinteger(L, wire->bus ? (lua_Integer)bus_wire_dropped(wire->bus) : 0);
    return 1;
}

/* --- sending -------------------------------------------------------------------------------- */

static const char *call_text(const cJSON *call, const char *name)
{
    const char *text = cJSON_GetStringValue(json_get(call, name));

    return text ? text : "";
}

static bool is_among_names(const char *text, const char *const *names)
{
    while (*names && strcmp(*names, text) != 0)
        names++;
    return *names != NULL;
}

/* True if the call changes nothing for anybody but the caller. */
static bool only_reads(const cJSON *call)
{
    static const struct {
        const char *interface;
        bool of_bus; /* another program may have it, and do anything */
        const char *members[9];
    } reading[] = {
        { "org.freedesktop.DBus",
          true,
          { "AddMatch", "GetConnectionUnixProcessID", "GetId", "GetNameOwner",
            "ListActivatableNames", "ListNames", "NameHasOwner", "RemoveMatch" } },
        { "org.freedesktop.DBus.Monitoring", true, { "BecomeMonitor" } },
        { "org.freedesktop.DBus.Properties", false, { "Get", "GetAll" } },
        { "org.freedesktop.DBus.Introspectable", false, { "Introspect" } },
        { "org.gtk.Actions", false, { "Describe", "DescribeAll", "List" } },
    };
    const char *interface = call_text(call, "interface"), *member = call_text(call, "member");
    bool to_bus = strcmp(call_text(call, "to"), "org.freedesktop.DBus") == 0;

    for (size_t i = 0; i < countof(reading); i++)
        if (strcmp(interface, reading[i].interface) == 0)
            return !cJSON_IsTrue(json_get(call, "start")) && (to_bus || !reading[i].of_bus) &&
                   is_among_names(member, reading[i].members);
    return false;
}

bool dbus_refuses(const cJSON *call, struct error *err)
{
    return !only_reads(call) && dry_run_refuses(err, "send to other programs by D-Bus");
}

/* Sends the message at index 2. Returns 0 after pushing nil, text, code. */
static uint32_t send_message(lua_State *L, struct wire *wire, bool answered)
{
    struct buf *text;
    struct json_doc **message;
    struct error err;
    uint32_t serial = 0;

    luaL_checktype(L, 2, LUA_TTABLE);
    if (!wire->bus) {
        bind_fail(L, "closed", "the connection was closed");
        return 0;
    }
    text = bind_buffer(L);
    message = bind_document(L);
    if (value_write_json(L, 2, text, &err))
        *message = json_parse(text->data, text->len, NULL, &err);
    if (*message && !dbus_refuses(json_root(*message), &err))
        serial = bus_wire_send(wire->bus, json_root(*message), answered, &err);
    if (serial)
        ear_listen_again(wire->ear);
    else
        bind_error(L, &err);
    return serial;
}

/* wire:send(message) -> true | nil, text, code */
static int wire_send(lua_State *L)
{
    struct wire *wire = check_wire(L);

    if (!send_message(L, wire, false))
        return 3;
    lua_pushboolean(L, 1);
    return 1;
}

/* --- waiting -------------------------------------------------------------------------------- */

/* Makes the wire forget the call, so that an answer that comes too late is not kept. */
static void forget_sent(struct sent *sent)
{
    if (sent->wire && sent->wire->bus)
        bus_wire_forget(sent->wire->bus, sent->serial);
    sent->wire = NULL;
}

static int sent_gc(lua_State *L)
{
    forget_sent(luaL_checkudata(L, 1, CALL));
    return 0;
}

static int push_bus_message(lua_State *L, const struct buf *text)
{
    static const struct json_limits limits = { 4 * (size_t)BUS_WIRE_BYTES, 256, 10000000 };
    struct json_doc **message = bind_document(L);
    struct error err;

    *message = json_parse(text->data, text->len, &limits, &err);
    if (!*message)
        return bind_fail(L, "too_large", "a message came that is too large: %s", err.text);
    value_push_json(L, json_root(*message));
    return 1;
}

/* 0: nothing came yet. */
static int take_bus_message(lua_State *L, struct wire *wire, uint32_t serial, enum wait_turn turn)
{
    struct buf *text;
    struct error err;

    if (!wire->bus)
        return bind_fail(L, "closed", "the connection was closed");
    text = bind_buffer(L);
    switch (bus_wire_next(wire->bus, serial, text, &err)) {
    case BUS_CAME:
        return push_bus_message(L, text);
    case BUS_LOST:
        return bind_error(L, &err);
    default:
        return turn == WAIT_LATE ? bind_fail(L, "timeout", "nothing came over the D-Bus in time")
                                 : 0;
    }
}

static int take_arrival(lua_State *L, enum wait_turn turn)
{
    if (turn == WAIT_BUSY)
        return bind_fail(L, "busy", "another task is waiting for this connection");
    return take_bus_message(L, check_wire(L), 0, turn);
}

/* wire:next([timeout]) -> message | nil, text, code */
static int wire_next(lua_State *L)
{
    static const struct wait_kind kind = { "a D-Bus message", take_arrival, false };
    struct wire *wire = check_wire(L);
    double seconds = luaL_optnumber(L, 2, 0);

    luaL_argcheck(L, seconds >= 0 && seconds <= WAIT_SECONDS_MAX, 2, "expected 0 to 86400 seconds");
    return wait_in_line(L, &wire->line, &kind, 0, wait_argument(L, 2));
}

/* The stack: wire, sent. */
static int take_sent_answer(lua_State *L, enum wait_turn turn)
{
    struct sent *sent = luaL_checkudata(L, 2, CALL);
    int results = take_bus_message(L, check_wire(L), sent->serial, turn);

    if (results)
        forget_sent(sent);
    return results;
}

/* wire:call(message [, timeout]) -> answer | nil, text, code */
static int wire_call(lua_State *L)
{
    static const struct wait_kind kind = { "a D-Bus message", take_sent_answer, true };
    struct wire *wire = check_wire(L);
    uint64_t ms = bind_milliseconds(L, 3, CALL_S, WAIT_SECONDS_MAX);
    struct sent *sent;

    task_here(L);
    lua_settop(L, 2);
    sent = lua_newuserdatauv(L, sizeof *sent, 0);
    *sent = (struct sent){ 0 };
    luaL_setmetatable(L, CALL);
    sent->serial = send_message(L, wire, true);
    if (!sent->serial)
        return 3;
    sent->wire = wire;
    lua_settop(L, 3);
    lua_replace(L, 2); /* wire, sent */
    return wait_in_line(L, &wire->line, &kind, sent->serial, ms);
}

void dbus_wire_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", wire_close },
                                     { "__gc", wire_close },
                                     { NULL, NULL } };
    static const luaL_Reg sent_meta[] = { { "__gc", sent_gc }, { NULL, NULL } };
    static const luaL_Reg wire_methods[] = { { "bus", wire_bus },     { "call", wire_call },
                                             { "close", wire_close }, { "dropped", wire_dropped },
                                             { "name", wire_name },   { "next", wire_next },
                                             { "send", wire_send },   { NULL, NULL } };

    bind_metatable(L, WIRE, meta, wire_methods);
    bind_metatable(L, CALL, sent_meta, NULL);
}
