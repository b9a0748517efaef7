#include "platform/atspi/bus/presence.h"

#include <stdlib.h>

#include "platform/atspi/bus/apps.h"
#include "process/libdbus/signals.h"

static const struct bus_signal bus_taken = { .sender = DBUS_SERVICE_DBUS,
                                             .interface = DBUS_INTERFACE_DBUS,
                                             .member = "NameOwnerChanged",
                                             .arg0 = "org.a11y.Bus" };
static const struct bus_signal apps_changed = { .sender = ATSPI_REGISTRY,
                                                .path = ATSPI_ROOT,
                                                .interface = ATSPI_IFACE("Event.Object"),
                                                .member = "ChildrenChanged" };

/* --- the bus ------------------------------------------------------------------------------- */

static bool says_nobody(DBusMessage *answer)
{
    return dbus_message_is_error(answer, DBUS_ERROR_SERVICE_UNKNOWN) ||
           dbus_message_is_error(answer, DBUS_ERROR_NAME_HAS_NO_OWNER);
}

/* Asks for the address of the accessibility bus; NULL: it does not run (*nobody), or gives none. */
static char *ask_address(struct bus *session, uint64_t until, bool *nobody)
{
    DBusMessage *call = talk_call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress");
    DBusPendingCall *pending = NULL;
    DBusMessage *answer;
    const char *text;
    char *address = NULL;

    *nobody = false;
    dbus_connection_send_with_reply(session->connection, call, &pending, DBUS_TIMEOUT_INFINITE);
    dbus_message_unref(call);
    bus_await(session, &pending, 1, until);
    answer = bus_take_answer(pending);
    if (!answer)
        return NULL;
    *nobody = says_nobody(answer);
    if (!*nobody && talk_value(answer, DBUS_TYPE_STRING, &text) && *text &&
        dbus_message_get_type(answer) == DBUS_MESSAGE_TYPE_METHOD_RETURN)
        address = mem_strdup(text);
    dbus_message_unref(answer);
    return address;
}

/* While nobody has the name, nobody is asked: the session's bus reports when somebody takes it.
 * *late: no answer came in time, which does not say that there is none. */
static char *find_address(struct presence *presence, uint64_t until, bool *late)
{
    char *at = bus_session_address(NULL), *address = NULL;
    struct bus *session = at ? bus_take(at, until, NULL) : NULL;
    uint64_t mark;
    bool nobody;

    *late = at && !session && bus_now() >= until;
    free(at);
    if (!session)
        return NULL;
    mark = signals_mark(session, &bus_taken);
    if (!mark || mark != presence->no_bus) {
        address = ask_address(session, until, &nobody);
        presence->no_bus = nobody ? mark : 0;
        *late = !address && !nobody && bus_now() >= until;
    }
    bus_give_back(session);
    return address;
}

bool presence_begin(struct atspi *atspi, struct deadline *deadline, bool *runs, struct error *err)
{
    uint64_t until = talk_until(deadline);
    char *address;
    bool late;

    *runs = false;
    if (!deadline_ok(deadline, err))
        return false;
    if (talk_is_connected(atspi)) {
        *runs = true;
        return true;
    }
    address = find_address(&atspi->presence, until, &late);
    if (late)
        return error_set(err, "timeout",
                         "the session's D-Bus does not tell the accessibility bus in time");
    *runs = address != NULL;
    return !address || talk_connect(atspi, address, until, err);
}

/* --- an application ------------------------------------------------------------------------- */

const char *presence_app(struct atspi *atspi, struct deadline *deadline, int pid, bool *absent,
                         struct error *err)
{
    struct presence *presence = &atspi->presence;
    uint64_t mark = signals_mark(&atspi->bus, &apps_changed);
    bool asked;

    if (!mark || mark != presence->apps || presence->pid != pid) {
        presence_end(presence);
        presence->app = apps_ask(atspi, deadline, pid, &asked, err);
        presence->apps = asked ? mark : 0;
        presence->pid = pid;
        if (!asked && strcmp(err->code, "element_gone") != 0) /* that is an absent registry */
            return NULL;
    }
    *absent = !presence->app;
    return presence->app;
}

void presence_end(struct presence *presence)
{
    free(presence->app);
    presence->app = NULL;
}
