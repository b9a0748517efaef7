/* Calls over libdbus: all are sent, then answers are read until each has one or the time is over.
 *
 * Connections are private ones and stay open, one for each bus, and one thread uses it at a time:
 * libdbus would let two threads read from one, and either may then wait for what the other has
 * read. A bus that hangs costs each call its time and no more: dbus_bus_register() would wait for
 * 25 seconds, and many connections that it never takes would stop connect() itself. */
#include <dbus/dbus.h>
#include <stdlib.h>
#include <uv.h>

#include "json/document.h"
#include "json/writer.h"
#include "process/bus.h"
#include "process/libdbus/values.h"

enum { BUSES_MAX = 8 };

static struct bus {
    char *address; /* owned; NULL: free */
    DBusConnection *connection;
    DBusPendingCall *hello; /* NULL: the bus has taken us */
    bool busy;              /* a thread uses it */
    int waiting;            /* others that want to */
} buses[BUSES_MAX];

static uv_mutex_t buses_lock; /* of addresses and of who uses them */
static uv_cond_t given_back;
static uv_once_t once = UV_ONCE_INIT;

static void begin(void)
{
    dbus_threads_init_default();
    uv_mutex_init(&buses_lock);
    uv_cond_init(&given_back);
}

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

static void await(struct bus *bus, DBusPendingCall **pending, int count, uint64_t until)
{
    for (int i = 0; i < count; i++) {
        while (pending[i] && !dbus_pending_call_get_completed(pending[i])) {
            uint64_t now = now_ms();

            if (now >= until ||
                !dbus_connection_read_write_dispatch(bus->connection, (int)(until - now)))
                return;
        }
    }
}

/* --- connections ------------------------------------------------------------------------- */

static void disconnect(struct bus *bus)
{
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

/* One that does not answer in time is kept: the next call goes on waiting for it. */
static bool connect_to(struct bus *bus, uint64_t until, struct error *err)
{
    DBusError why = DBUS_ERROR_INIT;

    if (bus->connection && !dbus_connection_get_is_connected(bus->connection))
        disconnect(bus);
    if (!bus->connection) {
        bus->connection = dbus_connection_open_private(bus->address, &why);
        if (!bus->connection)
            return no_bus(bus->address, &why, err);
        dbus_connection_set_exit_on_disconnect(bus->connection, FALSE);
        say_hello(bus);
    }
    if (!bus->hello)
        return true;
    await(bus, &bus->hello, 1, until);
    if (!dbus_pending_call_get_completed(bus->hello) &&
        dbus_connection_get_is_connected(bus->connection))
        return error_set(err, "timeout", "the D-Bus at %.200s does not respond", bus->address);
    if (dbus_pending_call_get_completed(bus->hello) && hello_answered(bus, &why))
        return true;
    disconnect(bus);
    return no_bus(bus->address, &why, err);
}

/* The one of this address; else a free one, or one that nobody uses now. */
static struct bus *find(const char *address)
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
    disconnect(idle);
    free(idle->address);
    idle->address = mem_strdup(address);
    return idle;
}

/* For this thread alone until give_back(). */
static struct bus *take(const char *address, uint64_t until, struct error *err)
{
    struct bus *bus;
    uint64_t now;

    uv_mutex_lock(&buses_lock);
    bus = find(address);
    if (!bus)
        error_set(err, "no_bus", "calls to %d other buses are under way. Try again", BUSES_MAX);
    if (bus)
        bus->waiting++;
    while (bus && bus->busy && (now = now_ms()) < until)
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

static void give_back(struct bus *bus)
{
    uv_mutex_lock(&buses_lock);
    bus->busy = false;
    uv_cond_broadcast(&given_back);
    uv_mutex_unlock(&buses_lock);
}

/* Never one that libdbus would start: it looks for a program for that where nothing is set. */
static char *session_address(struct error *err)
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
    await(bus, pending, count, until);
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
    uint64_t until = now_ms() + ms;
    struct bus *bus = take(address, until, err);
    bool ok;

    if (!bus)
        return false;
    ok = connect_to(bus, until, err) && send_all(bus, messages, count, until, out, err);
    give_back(bus);
    return ok;
}

static bool calls(const char *address, const cJSON *list, uint64_t ms, struct buf *out,
                  struct error *err)
{
    int count = cJSON_GetArraySize(list);
    char *session = address ? NULL : session_address(err);
    DBusMessage **messages;
    bool ok;

    if (!address && !session)
        return false;
    if (count > BUS_CALLS_MAX) {
        free(session);
        return error_set(err, "bad_call", "%d calls are too many at once. Make at most %d", count,
                         BUS_CALLS_MAX);
    }
    uv_once(&once, begin);
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

const struct bus_ops perigee_bus = { calls };
