#include "platform/atspi/bus/talk.h"

#include <stdlib.h>

#include "process/session_bus.h"

enum {
    CONNECT_MS = 2000,
    UNDER_WAY = 100, /* calls at once: a socket takes more than twice as many small messages */
    UNSENT_MS = 2,   /* time after which the rest is tried again that a full socket did not take */
};

/* --- the connection ------------------------------------------------------------------- */

uint64_t talk_until(const struct deadline *deadline)
{
    uint64_t left = deadline_left(deadline);

    return bus_now() + (left < CONNECT_MS ? left : CONNECT_MS);
}

static bool says_no(struct error *err, const char *why)
{
    return error_set(err, "no_accessibility",
                     "the accessibility bus cannot be reached: %s. Install at-spi2-core and start "
                     "this program inside the graphical session",
                     why);
}

static DBusPendingCall *send(DBusConnection *connection, DBusMessage *call)
{
    DBusPendingCall *pending = NULL;

    dbus_connection_send_with_reply(connection, call, &pending, DBUS_TIMEOUT_INFINITE);
    dbus_message_unref(call);
    return pending;
}

static bool is_error(DBusMessage *answer)
{
    return answer && dbus_message_get_type(answer) == DBUS_MESSAGE_TYPE_ERROR;
}

/* Returns the answer to a call on the session's bus, on a connection of its own; NULL and err. */
static DBusMessage *ask_session(DBusMessage *call, uint64_t until, struct error *err)
{
    struct bus session = { .address = bus_session_address(err) };
    DBusMessage *answer = NULL;
    DBusPendingCall *pending;

    if (session.address && bus_connect(&session, until, err)) {
        pending = send(session.connection, call);
        bus_await(&session, &pending, 1, until);
        answer = bus_take_answer(pending);
        if (!answer)
            error_set(err, "timeout", "no answer came on the session's D-Bus");
        bus_disconnect(&session);
    } else {
        dbus_message_unref(call);
    }
    free(session.address);
    return answer;
}

bool talk_on_session(struct deadline *deadline, DBusMessage *call, struct error *err)
{
    struct error why;
    DBusMessage *answer = ask_session(call, talk_until(deadline), &why);

    if (!answer)
        return says_no(err, why.text);
    dbus_message_unref(answer);
    return true;
}

/* Asks for the bus's address. org.a11y.Bus is started by this question if it does not run: the
 * desktop has it for every client. */
static char *ask_address(uint64_t until, struct error *err)
{
    DBusMessage *answer = ask_session(
        dbus_message_new_method_call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"),
        until, err);
    const char *text;
    char *address = NULL;

    if (!answer)
        return NULL;
    if (!is_error(answer) && talk_value(answer, DBUS_TYPE_STRING, &text) && *text)
        address = mem_strdup(text);
    dbus_message_unref(answer);
    if (!address)
        error_set(err, "no_accessibility", "org.a11y.Bus does not tell its address");
    return address;
}

/* The launcher of the bus writes the address to the display, for applications that know the display
 * alone. What wrote it may be gone. */
static char *ask_display(struct atspi *atspi)
{
    char *address = atspi->display_bus(atspi->display_arg);

    if (address)
        address[strcspn(address, ";")] = '\0'; /* another address behind it may be of any kind */
    if (address && !session_bus_answers(address)) {
        free(address);
        address = NULL;
    }
    return address;
}

bool talk_is_connected(const struct atspi *atspi)
{
    return atspi->bus.connection && dbus_connection_get_is_connected(atspi->bus.connection);
}

bool talk_connect(struct atspi *atspi, char *address, uint64_t until, struct error *err)
{
    struct error why;

    bus_disconnect(&atspi->bus);
    free(atspi->bus.address);
    atspi->bus.address = address;
    atspi->listening = false;
    return bus_connect(&atspi->bus, until, &why) || says_no(err, why.text);
}

bool talk_begin(struct atspi *atspi, struct deadline *deadline, struct error *err)
{
    uint64_t until = talk_until(deadline);
    struct error why;
    char *address;

    if (!deadline_ok(deadline, err))
        return false;
    if (talk_is_connected(atspi))
        return true;
    address = ask_address(until, &why);
    if (!address)
        address = ask_display(atspi);
    return address ? talk_connect(atspi, address, until, err) : says_no(err, why.text);
}

/* --- calls -------------------------------------------------------------------------------- */

DBusMessage *talk_call(const char *to, const char *path, const char *interface, const char *member)
{
    DBusMessage *call = dbus_message_new_method_call(to, path, interface, member);

    dbus_message_set_auto_start(call, FALSE);
    return call;
}

DBusMessage *talk_get(const char *to, const char *path, const char *interface, const char *name)
{
    DBusMessage *call = talk_call(to, path, DBUS_INTERFACE_PROPERTIES, "Get");

    dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name,
                             DBUS_TYPE_INVALID);
    return call;
}

/* The latest time of the next look at a connection that has not sent all messages. */
static uint64_t look_again_at(const struct atspi *atspi, DBusConnection *connection)
{
    uint64_t soon = deadline_now() + UNSENT_MS;

    if (!dbus_connection_has_messages_to_send(connection))
        return atspi->until;
    return atspi->until && atspi->until < soon ? atspi->until : soon;
}

/* Waits until this call has its answer, sleeping where a stop is noticed. */
static bool await_answer(struct atspi *atspi, struct deadline *deadline, DBusConnection *connection,
                         DBusPendingCall *pending, struct error *err)
{
    int fd = -1;

    dbus_connection_get_unix_fd(connection, &fd);
    while (!dbus_pending_call_get_completed(pending)) {
        if (!dbus_connection_get_is_connected(connection))
            return connection != atspi->bus.connection || says_no(err, "it was closed");
        if (dbus_connection_get_dispatch_status(connection) != DBUS_DISPATCH_DATA_REMAINS &&
            !deadline_wait(deadline, fd, look_again_at(atspi, connection), err))
            return false;
        if (atspi->until && deadline_now() >= atspi->until)
            return error_set(err, "late", "the application took too long to answer");
        dbus_connection_read_write_dispatch(connection, 0);
    }
    return true;
}

/* The application's own connection, if all of these calls are for it; otherwise the bus. */
static DBusConnection *way_of(const struct atspi *atspi, DBusMessage **calls, size_t count)
{
    bool direct = atspi->direct && dbus_connection_get_is_connected(atspi->direct);

    for (size_t i = 0; direct && i < count; i++)
        direct = strcmp(dbus_message_get_destination(calls[i]), atspi->direct_to) == 0;
    return direct ? atspi->direct : atspi->bus.connection;
}

bool talk_ask(struct atspi *atspi, struct deadline *deadline, DBusMessage **calls, size_t count,
              DBusMessage **answers, struct error *err)
{
    DBusPendingCall **pending = mem_zero((count + 1) * sizeof(DBusPendingCall *));
    DBusConnection *way = way_of(atspi, calls, count);
    size_t sent = 0;
    bool ok = true;

    for (size_t i = 0; i < count; i++) {
        if (sent <= i + UNDER_WAY / 2) { /* many at once: each alone would wake the application */
            for (; ok && sent < count && sent < i + UNDER_WAY; sent++)
                pending[sent] = send(way, calls[sent]);
        }
        if (ok && pending[i])
            ok = await_answer(atspi, deadline, way, pending[i], err);
        answers[i] = bus_take_answer(pending[i]);
        if (is_error(answers[i])) {
            dbus_message_unref(answers[i]);
            answers[i] = NULL;
        }
    }
    for (; sent < count; sent++)
        dbus_message_unref(calls[sent]);
    free(pending);
    return ok;
}

static bool explain_answer(DBusMessage *answer, struct error *err)
{
    const char *name = dbus_message_get_error_name(answer);
    const char *text = "";

    dbus_message_get_args(answer, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    if (strcmp(name, DBUS_ERROR_UNKNOWN_METHOD) == 0 ||
        strcmp(name, DBUS_ERROR_UNKNOWN_INTERFACE) == 0 ||
        strcmp(name, DBUS_ERROR_NOT_SUPPORTED) == 0)
        return error_set(err, "not_supported", "the element cannot do that: %.160s", text);
    if (strcmp(name, DBUS_ERROR_UNKNOWN_OBJECT) == 0 ||
        strcmp(name, DBUS_ERROR_NAME_HAS_NO_OWNER) == 0 ||
        strcmp(name, DBUS_ERROR_SERVICE_UNKNOWN) == 0 || strcmp(name, DBUS_ERROR_NO_REPLY) == 0)
        return error_set(err, "element_gone", "the element is gone: %.160s", text);
    return error_set(err, "element_refused", "the application refused: %.160s", text);
}

DBusMessage *talk_ask_one(struct atspi *atspi, struct deadline *deadline, DBusMessage *call,
                          struct error *err)
{
    DBusConnection *bus = atspi->bus.connection;
    DBusPendingCall *pending = send(bus, call);
    DBusMessage *answer;
    bool ok = !pending || await_answer(atspi, deadline, bus, pending, err);

    answer = bus_take_answer(pending);
    if (ok && answer && !is_error(answer))
        return answer;
    if (ok && answer)
        explain_answer(answer, err);
    else if (ok)
        says_no(err, "it was closed");
    if (answer)
        dbus_message_unref(answer);
    return NULL;
}

void talk_unref(DBusMessage **answers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (answers[i])
            dbus_message_unref(answers[i]);
        answers[i] = NULL;
    }
}

bool talk_value(DBusMessage *answer, int type, void *out)
{
    DBusMessageIter at, inside;

    if (!answer || !dbus_message_iter_init(answer, &at))
        return false;
    if (dbus_message_iter_get_arg_type(&at) == DBUS_TYPE_VARIANT && type != DBUS_TYPE_VARIANT) {
        dbus_message_iter_recurse(&at, &inside);
        at = inside;
    }
    if (dbus_message_iter_get_arg_type(&at) != type)
        return false;
    dbus_message_iter_get_basic(&at, out);
    return true;
}

bool talk_object(DBusMessageIter *at, struct talk_object *out)
{
    DBusMessageIter inside;

    if (dbus_message_iter_get_arg_type(at) != DBUS_TYPE_STRUCT)
        return false;
    dbus_message_iter_recurse(at, &inside);
    dbus_message_iter_next(at);
    if (dbus_message_iter_get_arg_type(&inside) != DBUS_TYPE_STRING)
        return false;
    dbus_message_iter_get_basic(&inside, &out->bus);
    if (!dbus_message_iter_next(&inside) ||
        dbus_message_iter_get_arg_type(&inside) != DBUS_TYPE_OBJECT_PATH)
        return false;
    dbus_message_iter_get_basic(&inside, &out->path);
    return true;
}

char *talk_path(DBusMessage *answer)
{
    DBusMessageIter at, inside;
    struct talk_object object;

    if (!answer || !dbus_message_iter_init(answer, &at))
        return NULL;
    if (dbus_message_iter_get_arg_type(&at) == DBUS_TYPE_VARIANT) {
        dbus_message_iter_recurse(&at, &inside);
        at = inside;
    }
    if (!talk_object(&at, &object) || strcmp(object.path, ATSPI_NULL) == 0)
        return NULL;
    return mem_strdup(object.path);
}

bool talk_states(DBusMessage *answer, uint64_t *states)
{
    dbus_uint32_t *words;
    int count;

    if (!answer || !dbus_message_get_args(answer, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_UINT32, &words,
                                          &count, DBUS_TYPE_INVALID))
        return false;
    *states = count > 0 ? words[0] : 0;
    *states |= count > 1 ? (uint64_t)words[1] << 32 : 0;
    return true;
}

bool talk_objects(DBusMessage *answer, struct talk_object *out, size_t most, size_t *count)
{
    DBusMessageIter at, each;

    *count = 0;
    if (!answer || !dbus_message_has_signature(answer, "a(so)"))
        return false;
    dbus_message_iter_init(answer, &at);
    dbus_message_iter_recurse(&at, &each);
    while (*count < most && talk_object(&each, &out[*count]))
        (*count)++;
    return true;
}
