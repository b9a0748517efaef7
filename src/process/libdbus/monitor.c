/* A connection that the bus shows what others call ("org.freedesktop.DBus.Monitoring.BecomeMonitor"
 * of the D-Bus specification). It is never used for anything else: the bus disconnects a monitor
 * that sends, so its messages are taken one by one and no handler of libdbus answers them. */
#include "process/libdbus/monitor.h"

#include <poll.h>
#include <stdlib.h>

#include "json/writer.h"
#include "process/libdbus/values.h"

#define MONITORING "org.freedesktop.DBus.Monitoring"

struct bus_monitor {
    struct bus bus;           /* outside of those that bus_take() gives */
    char *interface, *member; /* owned */
    int values;
};

void monitor_close(struct bus_monitor *monitor)
{
    bus_disconnect(&monitor->bus);
    free(monitor->bus.address);
    free(monitor->interface);
    free(monitor->member);
    free(monitor);
}

/* --- opening ----------------------------------------------------------------------------- */

static DBusMessage *monitor_request(const struct bus_monitor *monitor)
{
    DBusMessage *message = dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS,
                                                        MONITORING, "BecomeMonitor");
    char *rule = mem_printf("type='method_call',interface='%s',member='%s'", monitor->interface,
                            monitor->member);
    const char *const *rules = (const char *const[]){ rule };
    dbus_uint32_t flags = 0;

    dbus_message_append_args(message, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &rules, 1,
                             DBUS_TYPE_UINT32, &flags, DBUS_TYPE_INVALID);
    free(rule);
    return message;
}

static bool monitoring_granted(DBusPendingCall *pending, struct error *err)
{
    DBusError why = DBUS_ERROR_INIT;
    DBusMessage *answer;
    bool ok;

    if (!dbus_pending_call_get_completed(pending))
        return error_set(err, "timeout", "the D-Bus does not respond");
    answer = dbus_pending_call_steal_reply(pending);
    ok = !dbus_set_error_from_message(&why, answer);
    if (!ok)
        error_set(err, "not_supported", "this D-Bus does not let programs watch it: %.200s",
                  why.message ? why.message : why.name);
    dbus_error_free(&why);
    dbus_message_unref(answer);
    return ok;
}

static bool become_monitor(struct bus_monitor *monitor, uint64_t until, struct error *err)
{
    DBusMessage *message = monitor_request(monitor);
    DBusPendingCall *pending = NULL;
    bool ok;

    dbus_connection_send_with_reply(monitor->bus.connection, message, &pending,
                                    DBUS_TIMEOUT_INFINITE);
    dbus_message_unref(message);
    if (!pending)
        return error_set(err, "no_bus", "the D-Bus closed the connection");
    bus_await(&monitor->bus, &pending, 1, until);
    ok = monitoring_granted(pending, err);
    dbus_pending_call_cancel(pending);
    dbus_pending_call_unref(pending);
    return ok;
}

struct bus_monitor *monitor_open(const char *address, const struct bus_overheard *what, uint64_t ms,
                                 struct error *err)
{
    struct bus_monitor *monitor;
    char *at;

    if (!dbus_validate_interface(what->interface, NULL) ||
        !dbus_validate_member(what->member, NULL)) {
        error_set(err, "bad_call", "not a method of D-Bus: %.80s.%.60s", what->interface,
                  what->member);
        return NULL;
    }
    at = bus_address(address, err);
    if (!at)
        return NULL;
    monitor = mem_zero(sizeof *monitor);
    *monitor = (struct bus_monitor){ .bus = { .address = at },
                                     .interface = mem_strdup(what->interface),
                                     .member = mem_strdup(what->member),
                                     .values = what->values };
    ms += bus_now();
    if (bus_connect(&monitor->bus, ms, err) && become_monitor(monitor, ms, err))
        return monitor;
    monitor_close(monitor);
    return NULL;
}

int monitor_fd(struct bus_monitor *monitor)
{
    int fd = -1;

    return dbus_connection_get_socket(monitor->bus.connection, &fd) ? fd : -1;
}

/* --- what comes -------------------------------------------------------------------------- */

/* The bus also tells a monitor that its own names are gone. */
static bool is_monitored_call(const struct bus_monitor *monitor, DBusMessage *message)
{
    return dbus_message_is_method_call(message, monitor->interface, monitor->member);
}

static void write_message(const struct bus_monitor *monitor, struct buf *out, DBusMessage *message)
{
    const char *sender = dbus_message_get_sender(message);

    buf_lit(out, "{\"sender\":");
    json_write_string(out, sender ? sender : "", sender ? strlen(sender) : 0);
    buf_lit(out, ",\"values\":");
    bus_values_write_some(out, message, monitor->values);
    buf_addc(out, '}');
}

/* Takes the next wanted message of those that have been read. */
static bool take_monitored_call(struct bus_monitor *monitor, struct buf *out)
{
    DBusMessage *message;
    bool taken = false;

    while (!taken && (message = dbus_connection_pop_message(monitor->bus.connection)) != NULL) {
        taken = is_monitored_call(monitor, message);
        if (taken)
            write_message(monitor, out, message);
        dbus_message_unref(message);
    }
    return taken;
}

enum bus_next monitor_next(struct bus_monitor *monitor, struct buf *out, struct error *err)
{
    DBusConnection *connection = monitor->bus.connection;

    while (!take_monitored_call(monitor, out)) {
        struct pollfd at = { .fd = monitor_fd(monitor), .events = POLLIN };

        if (!dbus_connection_get_is_connected(connection)) {
            error_set(err, "no_bus", "the D-Bus closed the connection");
            return BUS_LOST;
        }
        if (poll(&at, 1, 0) <= 0)
            return BUS_NOTHING;
        dbus_connection_read_write(connection, 0);
    }
    return BUS_CAME;
}
