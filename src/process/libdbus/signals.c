#include "process/libdbus/signals.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/buf.h"

struct bus_heard {
    struct bus_heard *next;
    uint64_t mark;
    char *path, *interface, *member, *arg0; /* owned; NULL: whatever it is */
    char *rule;                             /* owned; for AddMatch */
};

static uint64_t next_mark(void)
{
    static _Atomic uint64_t last;

    return atomic_fetch_add(&last, 1) + 1;
}

/* --- rules ----------------------------------------------------------------------------- */

static void add_rule_part(struct buf *rule, const char *name, const char *value)
{
    if (value)
        buf_addf(rule, ",%s='%s'", name, value);
}

static char *signal_rule(const struct bus_signal *signal)
{
    struct buf rule = { 0 };

    buf_lit(&rule, "type='signal'");
    add_rule_part(&rule, "sender", signal->sender);
    add_rule_part(&rule, "path", signal->path);
    add_rule_part(&rule, "interface", signal->interface);
    add_rule_part(&rule, "member", signal->member);
    add_rule_part(&rule, "arg0", signal->arg0);
    return buf_take(&rule);
}

/* Without waiting: answers to later calls come after it. */
static void add_match(struct bus *bus, const char *rule)
{
    DBusMessage *message = dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS,
                                                        DBUS_INTERFACE_DBUS, "AddMatch");

    dbus_message_append_args(message, DBUS_TYPE_STRING, &rule, DBUS_TYPE_INVALID);
    dbus_message_set_no_reply(message, TRUE);
    dbus_connection_send(bus->connection, message, NULL);
    dbus_message_unref(message);
}

/* --- the list -------------------------------------------------------------------------- */

static char *copy_if_any(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

static void heard_free(struct bus_heard *heard)
{
    free(heard->path);
    free(heard->interface);
    free(heard->member);
    free(heard->arg0);
    free(heard->rule);
    free(heard);
}

/* Takes the rule. */
static struct bus_heard *add_heard(struct bus *bus, const struct bus_signal *signal, char *rule)
{
    struct bus_heard *heard = mem_zero(sizeof *heard);

    *heard = (struct bus_heard){ .next = bus->heard,
                                 .mark = next_mark(),
                                 .path = copy_if_any(signal->path),
                                 .interface = copy_if_any(signal->interface),
                                 .member = copy_if_any(signal->member),
                                 .arg0 = copy_if_any(signal->arg0),
                                 .rule = rule };
    bus->heard = heard;
    add_match(bus, rule);
    return heard;
}

static struct bus_heard *find_or_add(struct bus *bus, const struct bus_signal *signal)
{
    char *rule = signal_rule(signal);

    for (struct bus_heard *heard = bus->heard; heard; heard = heard->next) {
        if (strcmp(heard->rule, rule) == 0) {
            free(rule);
            return heard;
        }
    }
    return add_heard(bus, signal, rule);
}

/* --- what comes ------------------------------------------------------------------------ */

static bool part_matches(const char *wanted, const char *came)
{
    return !wanted || (came && strcmp(wanted, came) == 0);
}

static const char *first_argument(DBusMessage *message)
{
    DBusMessageIter at;
    const char *text = NULL;

    if (dbus_message_iter_init(message, &at) &&
        dbus_message_iter_get_arg_type(&at) == DBUS_TYPE_STRING)
        dbus_message_iter_get_basic(&at, &text);
    return text;
}

/* Does not compare the sender: a service has another name in its messages. */
static bool is_it(const struct bus_heard *heard, DBusMessage *message)
{
    return part_matches(heard->path, dbus_message_get_path(message)) &&
           part_matches(heard->interface, dbus_message_get_interface(message)) &&
           part_matches(heard->member, dbus_message_get_member(message)) &&
           part_matches(heard->arg0, first_argument(message));
}

static DBusHandlerResult on_bus_message(DBusConnection *connection, DBusMessage *message, void *arg)
{
    struct bus *bus = arg;

    (void)connection;
    if (dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_SIGNAL)
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    for (struct bus_heard *heard = bus->heard; heard; heard = heard->next) {
        if (is_it(heard, message))
            heard->mark = next_mark();
    }
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
}

void signals_begin(struct bus *bus)
{
    dbus_connection_add_filter(bus->connection, on_bus_message, bus, NULL);
}

void signals_end(struct bus *bus)
{
    struct bus_heard *next;

    for (struct bus_heard *heard = bus->heard; heard; heard = next) {
        next = heard->next;
        heard_free(heard);
    }
    bus->heard = NULL;
    if (bus->connection)
        dbus_connection_remove_filter(bus->connection, on_bus_message, bus);
}

/* --- numbers --------------------------------------------------------------------------- */

static bool connection_is_readable(DBusConnection *connection)
{
    struct pollfd at = { .fd = -1, .events = POLLIN };

    return dbus_connection_get_socket(connection, &at.fd) && poll(&at, 1, 0) > 0;
}

uint64_t signals_mark(struct bus *bus, const struct bus_signal *signal)
{
    struct bus_heard *heard = find_or_add(bus, signal);

    while (connection_is_readable(bus->connection) &&
           dbus_connection_get_is_connected(bus->connection))
        dbus_connection_read_write(bus->connection, 0); /* a part */
    while (dbus_connection_dispatch(bus->connection) == DBUS_DISPATCH_DATA_REMAINS)
        continue;
    return dbus_connection_get_is_connected(bus->connection) ? heard->mark : 0;
}
