#include "process/libdbus/connections.h"

#include <stdlib.h>
#include <uv.h>

#include "process/libdbus/signals.h"

enum { BUSES_MAX = 8, SLICE_MAX = 60000 };

static struct bus buses[BUSES_MAX]; /* without an address: free */

static uv_mutex_t buses_lock; /* guards addresses and users of `buses` */
static uv_cond_t given_back;
static uv_once_t once = UV_ONCE_INIT;

static void begin_connections(void)
{
    dbus_threads_init_default();
    uv_mutex_init(&buses_lock);
    uv_cond_init(&given_back);
}

uint64_t bus_now(void)
{
    return uv_hrtime() / 1000000;
}

int bus_slice(uint64_t now, uint64_t until)
{
    return until <= now ? 0 : until - now < SLICE_MAX ? (int)(until - now) : SLICE_MAX;
}

void bus_await(struct bus *bus, DBusPendingCall **pending, int count, uint64_t until)
{
    for (int i = 0; i < count; i++) {
        while (pending[i] && !dbus_pending_call_get_completed(pending[i])) {
            uint64_t now = bus_now();

            if (now >= until ||
                !dbus_connection_read_write_dispatch(bus->connection, bus_slice(now, until)))
                return;
        }
    }
}

DBusMessage *bus_take_answer(DBusPendingCall *pending)
{
    DBusMessage *answer = NULL;

    if (!pending)
        return NULL;
    if (dbus_pending_call_get_completed(pending))
        answer = dbus_pending_call_steal_reply(pending);
    else
        dbus_pending_call_cancel(pending);
    dbus_pending_call_unref(pending);
    return answer;
}

void bus_disconnect(struct bus *bus)
{
    signals_end(bus);
    if (bus->hello) {
        dbus_pending_call_cancel(bus->hello);
        dbus_pending_call_unref(bus->hello);
        bus->hello = NULL;
    }
    if (!bus->connection)
        return;
    dbus_connection_close(bus->connection);
    dbus_connection_unref(bus->connection);
    bus->connection = NULL;
}

static bool no_bus(const char *address, DBusError *why, struct error *err)
{
    error_set(err, "no_bus", "cannot connect to the D-Bus at %.200s: %.160s", address,
              why->message ? why->message : "it gave no reason");
    dbus_error_free(why);
    return false;
}

/* The first message on a connection ("Message Bus Messages" of the D-Bus specification). */
static void say_hello(struct bus *bus)
{
    DBusMessage *hello = dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS,
                                                      DBUS_INTERFACE_DBUS, "Hello");

    dbus_connection_send_with_reply(bus->connection, hello, &bus->hello, DBUS_TIMEOUT_INFINITE);
    dbus_message_unref(hello);
}

static bool hello_answered(struct bus *bus, DBusError *why)
{
    DBusMessage *answer = dbus_pending_call_steal_reply(bus->hello);
    const char *name;
    bool ok = !dbus_set_error_from_message(why, answer) &&
              dbus_message_get_args(answer, why, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);

    if (ok)
        dbus_bus_set_unique_name(bus->connection, name);
    dbus_message_unref(answer);
    dbus_pending_call_unref(bus->hello);
    bus->hello = NULL;
    return ok;
}

bool bus_connect(struct bus *bus, uint64_t until, struct error *err)
{
    DBusError why = DBUS_ERROR_INIT;

    uv_once(&once, begin_connections);
    if (bus->connection && !dbus_connection_get_is_connected(bus->connection))
        bus_disconnect(bus);
    if (!bus->connection) {
        bus->connection = dbus_connection_open_private(bus->address, &why);
        if (!bus->connection)
            return no_bus(bus->address, &why, err);
        dbus_connection_set_exit_on_disconnect(bus->connection, FALSE);
        signals_begin(bus);
        say_hello(bus);
    }
    if (!bus->hello)
        return true;
    bus_await(bus, &bus->hello, 1, until);
    if (!dbus_pending_call_get_completed(bus->hello) &&
        dbus_connection_get_is_connected(bus->connection))
        return error_set(err, "timeout", "the D-Bus at %.200s does not respond", bus->address);
    if (dbus_pending_call_get_completed(bus->hello) && hello_answered(bus, &why))
        return true;
    bus_disconnect(bus);
    return no_bus(bus->address, &why, err);
}

/* The one of this address; else a free one, or one that nobody uses now. */
static struct bus *find_bus(const char *address)
{
    struct bus *idle = NULL;

    for (int i = 0; i < BUSES_MAX; i++) {
        if (buses[i].address && strcmp(buses[i].address, address) == 0)
            return &buses[i];
        if (!buses[i].busy && !buses[i].waiting && (!idle || !buses[i].address))
            idle = &buses[i];
    }
    if (!idle)
        return NULL;
    bus_disconnect(idle);
    free(idle->address);
    idle->address = mem_strdup(address);
    return idle;
}

static struct bus *take_bus(const char *address, uint64_t until, struct error *err)
{
    struct bus *bus;
    uint64_t now;

    uv_mutex_lock(&buses_lock);
    bus = find_bus(address);
    if (!bus)
        error_set(err, "no_bus", "calls to %d other buses are under way. Try again", BUSES_MAX);
    if (bus)
        bus->waiting++;
    while (bus && bus->busy && (now = bus_now()) < until)
        uv_cond_timedwait(&given_back, &buses_lock, (until - now) * 1000000);
    if (bus)
        bus->waiting--;
    if (bus && bus->busy) {
        error_set(err, "timeout", "other calls to the D-Bus at %.200s took all the time", address);
        bus = NULL;
    }
    if (bus)
        bus->busy = true;
    uv_mutex_unlock(&buses_lock);
    return bus;
}

void bus_give_back(struct bus *bus)
{
    uv_mutex_lock(&buses_lock);
    bus->busy = false;
    uv_cond_broadcast(&given_back);
    uv_mutex_unlock(&buses_lock);
}

struct bus *bus_take(const char *address, uint64_t until, struct error *err)
{
    struct bus *bus;

    uv_once(&once, begin_connections);
    bus = take_bus(address, until, err);
    if (!bus || bus_connect(bus, until, err))
        return bus;
    bus_give_back(bus);
    return NULL;
}

char *bus_session_address(struct error *err)
{
    const char *address = getenv("DBUS_SESSION_BUS_ADDRESS"), *folder = getenv("XDG_RUNTIME_DIR");

    if (address && *address && strncmp(address, "autolaunch:", 11) != 0)
        return mem_strdup(address);
    if (folder && *folder)
        return mem_printf("unix:path=%s/bus", folder);
    error_set(err, "no_bus",
              "no D-Bus session is known: DBUS_SESSION_BUS_ADDRESS is not set. Start this program "
              "inside a graphical session");
    return NULL;
}

/* Other transports start programs, or connect to other machines. */
static bool is_of_sockets(const char *addresses)
{
    for (const char *at = addresses; at; at = (at = strchr(at, ';')) ? at + 1 : NULL)
        if (*at && strncmp(at, "unix:", 5) != 0 && strncmp(at, "launchd:", 8) != 0)
            return false;
    return true;
}

char *bus_address(const char *name, struct error *err)
{
    const char *system = getenv("DBUS_SYSTEM_BUS_ADDRESS");

    if (!name)
        return bus_session_address(err);
    if (strcmp(name, "system") != 0 && is_of_sockets(name))
        return mem_strdup(name);
    if (strcmp(name, "system") != 0) {
        error_set(err, "no_bus",
                  "%.200s is not the address of a D-Bus on this machine. Use one "
                  "with unix:",
                  name);
        return NULL;
    }
    return mem_strdup(system && *system ? system : "unix:path=/var/run/dbus/system_bus_socket");
}
