/* Messages are taken from libdbus one by one and made into JSON as they come, so that what waits is
 * counted in bytes that are known, and libdbus holds none of it: it would stop reading, and leave
 * the descriptor readable. No handler of libdbus runs, so it answers nothing by itself. */
#include "process/libdbus/wire.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>

#include "base/list.h"
#include "process/libdbus/messages.h"

/* The most reads in one turn, of a few kilobytes each: the loop also has other work. */
enum { READS_A_TURN = 32 };

/* A call or a signal that came, and was not taken yet. */
struct arrival {
    struct link link;
    struct buf text;
    bool is_signal;
};

/* A call of ours. */
struct asked {
    struct link link;
    uint32_t serial;
    bool came;
    struct buf text; /* its answer */
};

struct bus_wire {
    struct bus bus; /* outside of those that bus_take() gives */
    struct link arrivals, asked;
    size_t queue, count, calls,
        bytes;  /* count: of arrivals; calls: of asked; bytes: of all texts */
    int values; /* arguments of a message that are told */
    bool monitors;
    uint64_t dropped;
};

/* --- opening and closing -------------------------------------------------------------------------
 */

static void arrival_free(struct bus_wire *wire, struct arrival *arrival)
{
    list_remove(&arrival->link);
    wire->count--;
    wire->bytes -= arrival->text.len;
    buf_free(&arrival->text);
    free(arrival);
}

static void asked_free(struct bus_wire *wire, struct asked *asked)
{
    list_remove(&asked->link);
    wire->calls--;
    wire->bytes -= asked->text.len;
    buf_free(&asked->text);
    free(asked);
}

void wire_close(struct bus_wire *wire)
{
    list_each (link, &wire->arrivals)
        arrival_free(wire, container_of(link, struct arrival, link));
    list_each (link, &wire->asked)
        asked_free(wire, container_of(link, struct asked, link));
    bus_disconnect(&wire->bus);
    free(wire->bus.address);
    free(wire);
}

struct bus_wire *wire_open(const char *address, const struct bus_wire_options *options, uint64_t ms,
                           struct error *err)
{
    char *at = bus_address(address, err);
    struct bus_wire *wire;

    if (!at)
        return NULL;
    wire = mem_zero(sizeof *wire);
    wire->bus.address = at;
    wire->queue = options->queue ? options->queue : BUS_WIRE_QUEUE;
    wire->monitors = options->values > 0;
    wire->values = wire->monitors ? options->values : INT_MAX;
    list_init(&wire->arrivals);
    list_init(&wire->asked);
    if (bus_connect(&wire->bus, bus_now() + ms, err)) {
        dbus_connection_set_max_message_size(wire->bus.connection, BUS_WIRE_MESSAGE);
        return wire;
    }
    wire_close(wire);
    return NULL;
}

static bool is_connected(const struct bus_wire *wire)
{
    return dbus_connection_get_is_connected(wire->bus.connection);
}

int wire_fd(struct bus_wire *wire)
{
    int fd = -1;

    return is_connected(wire) && dbus_connection_get_socket(wire->bus.connection, &fd) ? fd : -1;
}

const char *wire_name(const struct bus_wire *wire)
{
    return dbus_bus_get_unique_name(wire->bus.connection);
}

bool wire_unsent(struct bus_wire *wire)
{
    return is_connected(wire) && dbus_connection_has_messages_to_send(wire->bus.connection);
}

uint64_t wire_dropped(const struct bus_wire *wire)
{
    return wire->dropped;
}

/* --- what comes ----------------------------------------------------------------------------------
 */

static struct asked *find_asked(const struct bus_wire *wire, uint32_t serial)
{
    list_each (link, &wire->asked) {
        struct asked *asked = container_of(link, struct asked, link);

        if (asked->serial == serial)
            return asked;
    }
    return NULL;
}

/* An answer that nobody waits for is left out, and so is a second one. In place of one for which
 * there is no room its caller gets an error. */
static void keep_answer(struct bus_wire *wire, DBusMessage *message)
{
    struct asked *asked = find_asked(wire, dbus_message_get_reply_serial(message));

    if (!asked || asked->came)
        return;
    message_write(&asked->text, message, INT_MAX);
    if (wire->bytes + asked->text.len > 2 * (size_t)BUS_WIRE_BYTES) {
        buf_free(&asked->text);
        buf_lit(&asked->text, "{\"kind\":\"answer\",\"sender\":\"\",\"values\":[],"
                              "\"error\":\"" DBUS_ERROR_LIMITS_EXCEEDED "\","
                              "\"text\":\"the answer is too large\"}");
    }
    asked->came = true;
    wire->bytes += asked->text.len;
}

static struct arrival *oldest_signal(const struct bus_wire *wire)
{
    list_each (link, &wire->arrivals) {
        struct arrival *arrival = container_of(link, struct arrival, link);

        if (arrival->is_signal)
            return arrival;
    }
    return NULL;
}

static bool is_full(const struct bus_wire *wire, size_t more)
{
    return wire->count >= wire->queue || wire->bytes + more > BUS_WIRE_BYTES;
}

static bool wire_make_room(struct bus_wire *wire, size_t more)
{
    while (is_full(wire, more)) {
        struct arrival *oldest = oldest_signal(wire);

        if (!oldest)
            return false;
        arrival_free(wire, oldest);
        wire->dropped++;
    }
    return true;
}

static void refuse_arrived_call(struct bus_wire *wire, DBusMessage *call)
{
    DBusMessage *answer;

    if (dbus_message_get_no_reply(call) || !dbus_message_get_sender(call))
        return;
    answer = dbus_message_new_error(call, DBUS_ERROR_LIMITS_EXCEEDED,
                                    "too many calls wait for this program");
    dbus_connection_send(wire->bus.connection, answer, NULL);
    dbus_message_unref(answer);
}

static void keep_arrival(struct bus_wire *wire, DBusMessage *message)
{
    bool is_signal = dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_SIGNAL;
    struct arrival *arrival = mem_zero(sizeof *arrival);

    message_write(&arrival->text, message, wire->values);
    arrival->is_signal = is_signal;
    if (wire_make_room(wire, arrival->text.len)) {
        list_push(&wire->arrivals, &arrival->link);
        wire->count++;
        wire->bytes += arrival->text.len;
        return;
    }
    buf_free(&arrival->text);
    free(arrival);
    if (is_signal || wire->monitors)
        wire->dropped++;
    else
        refuse_arrived_call(wire, message);
}

/* libdbus tells of the end of a connection by a message that nobody sent. */
static bool is_local(DBusMessage *message)
{
    return dbus_message_has_path(message, DBUS_PATH_LOCAL);
}

static void wire_take_message(struct bus_wire *wire, DBusMessage *message)
{
    int type = dbus_message_get_type(message);

    if (is_local(message))
        return;
    if (type == DBUS_MESSAGE_TYPE_METHOD_CALL || type == DBUS_MESSAGE_TYPE_SIGNAL)
        keep_arrival(wire, message);
    else
        keep_answer(wire, message);
}

static void wire_take_messages(struct bus_wire *wire)
{
    DBusMessage *message;

    while ((message = dbus_connection_pop_message(wire->bus.connection)) != NULL) {
        wire_take_message(wire, message);
        dbus_message_unref(message);
    }
}

static bool wire_is_readable(struct bus_wire *wire)
{
    struct pollfd at = { .fd = wire_fd(wire), .events = POLLIN };

    return at.fd >= 0 && poll(&at, 1, 0) > 0;
}

/* At least once, for what is to be written. */
void wire_turn(struct bus_wire *wire)
{
    for (int i = 0; i < READS_A_TURN && is_connected(wire); i++) {
        dbus_connection_read_write(wire->bus.connection, 0);
        wire_take_messages(wire);
        if (!wire_is_readable(wire))
            break;
    }
    wire_take_messages(wire);
}

/* --- what is sent and taken ----------------------------------------------------------------------
 */

static bool may_send(struct bus_wire *wire, bool answered, struct error *err)
{
    long unsent;

    if (!is_connected(wire))
        return error_set(err, "no_bus", "the D-Bus closed the connection");
    unsent = dbus_connection_get_outgoing_size(wire->bus.connection);
    if (unsent > BUS_WIRE_UNSENT)
        return error_set(err, "too_many", "the D-Bus does not take what is sent: %ld bytes wait",
                         unsent);
    return !answered || wire->calls < BUS_WIRE_CALLS ||
           error_set(err, "too_many", "%d calls wait for their answers", BUS_WIRE_CALLS);
}

uint32_t wire_send(struct bus_wire *wire, const cJSON *what, bool answered, struct error *err)
{
    DBusMessage *message = may_send(wire, answered, err) ? message_of(what, err) : NULL;
    bool is_call = message && dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL;
    dbus_uint32_t serial = 0;
    struct asked *asked;

    if (!message)
        return 0;
    if (is_call && !answered)
        dbus_message_set_no_reply(message, TRUE);
    dbus_connection_send(wire->bus.connection, message, &serial);
    dbus_message_unref(message);
    if (!is_call || !answered)
        return serial;
    asked = mem_zero(sizeof *asked);
    asked->serial = serial;
    list_push(&wire->asked, &asked->link);
    wire->calls++;
    return serial;
}

void wire_forget(struct bus_wire *wire, uint32_t serial)
{
    struct asked *asked = find_asked(wire, serial);

    if (asked)
        asked_free(wire, asked);
}

static bool wire_has_answer(const struct bus_wire *wire, uint32_t serial)
{
    const struct asked *asked = serial ? find_asked(wire, serial) : NULL;

    return serial ? asked && asked->came : wire->count > 0;
}

bool wire_ready(struct bus_wire *wire, uint32_t serial)
{
    return wire_has_answer(wire, serial) || !is_connected(wire);
}

enum bus_next wire_next(struct bus_wire *wire, uint32_t serial, struct buf *out, struct error *err)
{
    if (!wire_has_answer(wire, serial)) {
        if (is_connected(wire))
            return BUS_NOTHING;
        error_set(err, "no_bus", "the D-Bus closed the connection");
        return BUS_LOST;
    }
    if (serial) {
        struct asked *asked = find_asked(wire, serial);

        buf_add(out, asked->text.data, asked->text.len);
        asked_free(wire, asked);
    } else {
        struct arrival *arrival = container_of(wire->arrivals.next, struct arrival, link);

        buf_add(out, arrival->text.data, arrival->text.len);
        arrival_free(wire, arrival);
    }
    return BUS_CAME;
}
