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
#include "process/libdbus/values.h"
#include "process/libdbus/wire.h"

/* --- calls --------------------------------------------------------------------------------- */

/* The messages of some calls: owned, and so are the pending calls that they become. */
struct calls {
    DBusMessage **messages;
    DBusPendingCall **pending;
    int count;
};

static void calls_free(struct calls *calls)
{
    for (int i = 0; i < calls->count; i++) {
        if (calls->messages[i])
            dbus_message_unref(calls->messages[i]);
        if (!calls->pending[i])
            continue;
        dbus_pending_call_cancel(calls->pending[i]);
        dbus_pending_call_unref(calls->pending[i]);
    }
    free(calls->messages);
    free(calls->pending);
}

/* False: "bad_call". calls_free() them in any case. */
static bool read_calls(const cJSON *list, struct calls *out, struct error *err)
{
    int count = cJSON_GetArraySize(list);
    const cJSON *call = list->child;

    *out = (struct calls){ NULL, NULL, 0 };
    if (count > BUS_CALLS_MAX)
        return error_set(err, "bad_call", "%d calls are too many at once. Make at most %d", count,
                         BUS_CALLS_MAX);
    out->messages = mem_zero(sizeof(DBusMessage *) * (size_t)(count + 1));
    out->pending = mem_zero(sizeof(DBusPendingCall *) * (size_t)(count + 1));
    out->count = count;
    for (int i = 0; i < count; i++, call = call->next) {
        out->messages[i] = message_of_call(call, err);
        if (!out->messages[i])
            return false;
    }
    return true;
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

/* Sends the calls, and waits for their answers. */
static bool make_calls_on(struct bus *bus, struct calls *calls, uint64_t until, struct buf *out,
                          struct error *err)
{
    for (int i = 0; i < calls->count; i++)
        dbus_connection_send_with_reply(bus->connection, calls->messages[i], &calls->pending[i],
                                        DBUS_TIMEOUT_INFINITE);
    bus_await(bus, calls->pending, calls->count, until);
    return write_answers(out, calls->pending, calls->count, err);
}

static bool make_calls(const char *address, const cJSON *list, uint64_t ms, struct buf *out,
                       struct error *err)
{
    uint64_t until = bus_now() + ms;
    struct calls calls;
    char *at = read_calls(list, &calls, err) ? bus_address(address, err) : NULL;
    struct bus *bus = at ? bus_take(at, until, err) : NULL;
    bool ok = bus && make_calls_on(bus, &calls, until, out, err);

    free(at);
    calls_free(&calls); /* before another thread has the bus */
    if (bus)
        bus_give_back(bus);
    return ok;
}

const struct bus_ops perigee_bus = {
    make_calls, bus_find_method, wire_open,  wire_fd,   wire_name,    wire_unsent, wire_turn,
    wire_send,  wire_forget,     wire_ready, wire_next, wire_dropped, wire_close,
};
