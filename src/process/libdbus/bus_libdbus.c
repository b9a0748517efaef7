/* Calls over libdbus: all are sent, then answers are read until each has one or the time is over.
 */
#include <dbus/dbus.h>
#include <stdlib.h>

#include "json/document.h"
#include "json/writer.h"
#include "process/bus.h"
#include "process/libdbus/connections.h"
#include "process/libdbus/input_method.h"
#include "process/libdbus/values.h"

/* --- calls --------------------------------------------------------------------------------- */

static const char *text_of(const cJSON *call, const char *name)
{
    return cJSON_GetStringValue(json_get(call, name));
}

/* libdbus ends the process for a name that is none. */
static DBusMessage *make_message(const cJSON *call, struct error *err)
{
    const char *to = text_of(call, "to"), *path = text_of(call, "path");
    const char *interface = text_of(call, "interface"), *member = text_of(call, "member");
    DBusMessage *message;

    if (!to || !dbus_validate_bus_name(to, NULL) || !path || !dbus_validate_path(path, NULL) ||
        !interface || !dbus_validate_interface(interface, NULL) || !member ||
        !dbus_validate_member(member, NULL)) {
        error_set(err, "bad_call", "not a call of D-Bus: %.60s %.100s %.80s.%.60s", to ? to : "?",
                  path ? path : "?", interface ? interface : "?", member ? member : "?");
        return NULL;
    }
    message = dbus_message_new_method_call(to, path, interface, member);
    dbus_message_set_auto_start(message, FALSE);
    if (bus_values_append(message, text_of(call, "signature"), json_get(call, "args"), err))
        return message;
    dbus_message_unref(message);
    return NULL;
}

/* False: one is wrong, and none is sent. */
static bool make_messages(const cJSON *calls, DBusMessage **messages, int count, struct error *err)
{
    const cJSON *call = calls->child;

    for (int i = 0; i < count; i++, call = call->next) {
        messages[i] = make_message(call, err);
        if (!messages[i])
            return false;
    }
    return true;
}

static void write_failure(struct buf *out, const char *name, const char *text)
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
        write_failure(out, DBUS_ERROR_NO_REPLY, "no answer came in time");
    } else if (dbus_set_error_from_message(&why, answer)) {
        write_failure(out, why.name, why.message ? why.message : "");
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

static bool send_all(struct bus *bus, DBusMessage **messages, int count, uint64_t until,
                     struct buf *out, struct error *err)
{
    DBusPendingCall **pending = mem_zero(sizeof(DBusPendingCall *) * (size_t)(count + 1));
    bool ok;

    for (int i = 0; i < count; i++)
        dbus_connection_send_with_reply(bus->connection, messages[i], &pending[i],
                                        DBUS_TIMEOUT_INFINITE);
    bus_await(bus, pending, count, until);
    ok = write_answers(out, pending, count, err);
    for (int i = 0; i < count; i++) {
        if (!pending[i])
            continue;
        dbus_pending_call_cancel(pending[i]);
        dbus_pending_call_unref(pending[i]);
    }
    free(pending);
    return ok;
}

static bool calls_on(const char *address, DBusMessage **messages, int count, uint64_t ms,
                     struct buf *out, struct error *err)
{
    uint64_t until = bus_now() + ms;
    struct bus *bus = bus_take(address, until, err);
    bool ok;

    if (!bus)
        return false;
    ok = send_all(bus, messages, count, until, out, err);
    bus_give_back(bus);
    return ok;
}

static bool calls(const char *address, const cJSON *list, uint64_t ms, struct buf *out,
                  struct error *err)
{
    int count = cJSON_GetArraySize(list);
    char *session = address ? NULL : bus_session_address(err);
    DBusMessage **messages;
    bool ok;

    if (!address && !session)
        return false;
    if (count > BUS_CALLS_MAX) {
        free(session);
        return error_set(err, "bad_call", "%d calls are too many at once. Make at most %d", count,
                         BUS_CALLS_MAX);
    }
    messages = mem_zero(sizeof(DBusMessage *) * (size_t)(count + 1));
    ok = make_messages(list, messages, count, err) &&
         calls_on(address ? address : session, messages, count, ms, out, err);
    for (int i = 0; i < count; i++) {
        if (messages[i])
            dbus_message_unref(messages[i]);
    }
    free(messages);
    free(session);
    return ok;
}

const struct bus_ops perigee_bus = { calls, bus_find_method };
