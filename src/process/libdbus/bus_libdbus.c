/* Calls over libdbus: all are sent, then answers are read until each has one or the time is over.
 */
#include <dbus/dbus.h>
#include <stdlib.h>

#include "json/document.h"
#include "json/writer.h"
#include "process/bus.h"
#include "process/libdbus/connections.h"
#include "process/libdbus/input_method.h"
#include "process/libdbus/messages.h"
#include "process/libdbus/signals.h"
#include "process/libdbus/values.h"
#include "process/libdbus/wire.h"

/* --- calls --------------------------------------------------------------------------------- */

struct bus_prepared {
    DBusMessage **messages; /* owned; of these too, which are `count` */
    int count;
};

static void prepared_free(struct bus_prepared *prepared)
{
    for (int i = 0; i < prepared->count; i++) {
        if (prepared->messages[i])
            dbus_message_unref(prepared->messages[i]);
    }
    free(prepared->messages);
    free(prepared);
}

static struct bus_prepared *prepare_calls(const cJSON *calls, struct error *err)
{
    int count = cJSON_GetArraySize(calls);
    const cJSON *call = calls->child;
    struct bus_prepared *prepared;

    if (count > BUS_CALLS_MAX) {
        error_set(err, "bad_call", "%d calls are too many at once. Make at most %d", count,
                  BUS_CALLS_MAX);
        return NULL;
    }
    prepared = mem_zero(sizeof *prepared);
    *prepared =
        (struct bus_prepared){ mem_zero(sizeof(DBusMessage *) * (size_t)(count + 1)), count };
    for (int i = 0; i < count; i++, call = call->next) {
        prepared->messages[i] = message_of_call(call, err);
        if (!prepared->messages[i]) {
            prepared_free(prepared);
            return NULL;
        }
    }
    return prepared;
}

static void write_call_failure(struct buf *out, const char *name, const char *text)
{
    buf_lit(out, "{\"error\":");
    json_write_string(out, name, strlen(name));
    buf_lit(out, ",\"text\":");
    json_write_string(out, text, strlen(text));
    buf_addc(out, '}');
}

static void write_answer(struct buf *out, DBusPendingCall *pending)
{
    DBusMessage *answer = NULL;
    DBusError why = DBUS_ERROR_INIT;

    if (pending && dbus_pending_call_get_completed(pending))
        answer = dbus_pending_call_steal_reply(pending);
    if (!answer) {
        write_call_failure(out, DBUS_ERROR_NO_REPLY, "no answer came in time");
    } else if (dbus_set_error_from_message(&why, answer)) {
        write_call_failure(out, why.name, why.message ? why.message : "");
        dbus_error_free(&why);
    } else {
        buf_lit(out, "{\"values\":");
        bus_values_write(out, answer);
        buf_addc(out, '}');
    }
    if (answer)
        dbus_message_unref(answer);
}

static bool write_answers(struct buf *out, DBusPendingCall **pending, int count, struct error *err)
{
    buf_addc(out, '[');
    for (int i = 0; i < count; i++) {
        if (i)
            buf_addc(out, ',');
        write_answer(out, pending[i]);
        if (out->len > BUS_ANSWER_MAX)
            return error_set(err, "too_large", "the answers are larger than %d MB",
                             BUS_ANSWER_MAX >> 20);
    }
    buf_addc(out, ']');
    return true;
}

struct bus_asked {
    struct bus *bus;
    DBusPendingCall **pending; /* owned */
    int count;
    uint64_t until; /* a time of bus_now() */
};

/* Copies: a message that was sent has its number. */
static void send_messages(struct bus_asked *asked, DBusMessage *const *messages)
{
    for (int i = 0; i < asked->count; i++) {
        DBusMessage *message = dbus_message_copy(messages[i]);

        dbus_connection_send_with_reply(asked->bus->connection, message, &asked->pending[i],
                                        DBUS_TIMEOUT_INFINITE);
        dbus_message_unref(message);
    }
}

static struct bus_asked *send_calls(const char *address, const struct bus_prepared *prepared,
                                    uint64_t ms, struct error *err)
{
    char *at = bus_address(address, err);
    uint64_t until = bus_now() + ms;
    struct bus *bus = at ? bus_take(at, until, err) : NULL;
    size_t size = sizeof(DBusPendingCall *) * (size_t)(prepared->count + 1);
    struct bus_asked *asked;

    free(at);
    if (!bus)
        return NULL;
    asked = mem_zero(sizeof *asked);
    *asked = (struct bus_asked){ bus, mem_zero(size), prepared->count, until };
    send_messages(asked, prepared->messages);
    return asked;
}

static bool await_answers(struct bus_asked *asked, struct buf *out, struct error *err)
{
    bool ok;

    bus_await(asked->bus, asked->pending, asked->count, asked->until);
    ok = write_answers(out, asked->pending, asked->count, err);
    for (int i = 0; i < asked->count; i++) {
        if (!asked->pending[i])
            continue;
        dbus_pending_call_cancel(asked->pending[i]);
        dbus_pending_call_unref(asked->pending[i]);
    }
    bus_give_back(asked->bus);
    free(asked->pending);
    free(asked);
    return ok;
}

static bool make_calls(const char *address, const cJSON *list, uint64_t ms, struct buf *out,
                       struct error *err)
{
    struct bus_prepared *prepared = prepare_calls(list, err);
    struct bus_asked *asked = prepared ? send_calls(address, prepared, ms, err) : NULL;

    if (prepared)
        prepared_free(prepared);
    return asked && await_answers(asked, out, err);
}

/* --- signals --------------------------------------------------------------------------- */

static struct bus *try_bus(const char *address)
{
    char *at = bus_address(address, NULL);
    struct bus *bus = at ? bus_try(at) : NULL;

    free(at);
    return bus;
}

static uint64_t mark_signal(const char *address, const struct bus_signal *signal)
{
    struct bus *bus = try_bus(address);
    uint64_t number = bus ? signals_mark(bus, signal) : 0;

    if (bus)
        bus_give_back(bus);
    return number;
}

static void unhear_signal(const char *address, const struct bus_signal *signal)
{
    struct bus *bus = try_bus(address);

    if (!bus)
        return;
    signals_unhear(bus, signal);
    bus_give_back(bus);
}

static bool await_signal(const char *address, const struct bus_signal *signal, uint64_t mark,
                         uint64_t ms, struct error *err)
{
    uint64_t until = bus_now() + ms;
    char *at = bus_address(address, err);
    struct bus *bus = at ? bus_take(at, until, err) : NULL;
    bool came = bus && signals_await(bus, signal, mark, until);

    free(at);
    if (!bus)
        return false;
    bus_give_back(bus);
    return came || error_set(err, "timeout", "the signal %s was not heard in time",
                             signal->member ? signal->member : "");
}

const struct bus_ops perigee_bus = {
    make_calls,  prepare_calls, prepared_free, send_calls,      await_answers,
    mark_signal, await_signal,  unhear_signal, bus_find_method, wire_open,
    wire_fd,     wire_name,     wire_unsent,   wire_turn,       wire_send,
    wire_forget, wire_ready,    wire_next,     wire_dropped,    wire_close,
};
