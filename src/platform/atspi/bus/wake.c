#include "platform/atspi/bus/wake.h"

#include <stdlib.h>

/* The registry is a service of the bus. Qt does not start it, but registers once it runs. */
bool wake_registry(struct atspi *atspi, struct deadline *deadline, bool *fresh, struct error *err)
{
    const char *name = ATSPI_REGISTRY;
    dbus_uint32_t flags = 0, how = DBUS_START_REPLY_ALREADY_RUNNING;
    DBusMessage *call =
        talk_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "StartServiceByName");
    DBusMessage *answer;

    dbus_message_append_args(call, DBUS_TYPE_STRING, &name, DBUS_TYPE_UINT32, &flags,
                             DBUS_TYPE_INVALID);
    answer = talk_ask_one(atspi, deadline, call, err);
    if (!answer)
        return false;
    talk_value(answer, DBUS_TYPE_UINT32, &how);
    dbus_message_unref(answer);
    *fresh = how != DBUS_START_REPLY_ALREADY_RUNNING;
    return true;
}

/* Makes the call that sets org.a11y.Status.IsEnabled on the session's bus. */
static DBusMessage *enabling(void)
{
    DBusMessage *call = dbus_message_new_method_call("org.a11y.Bus", "/org/a11y/bus",
                                                     DBUS_INTERFACE_PROPERTIES, "Set");
    const char *interface = "org.a11y.Status", *name = "IsEnabled";
    dbus_bool_t on = TRUE;
    DBusMessageIter at, variant;

    dbus_message_iter_init_append(call, &at);
    dbus_message_iter_append_basic(&at, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_append_basic(&at, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&at, DBUS_TYPE_VARIANT, "b", &variant);
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_BOOLEAN, &on);
    dbus_message_iter_close_container(&at, &variant);
    return call;
}

bool wake(struct atspi *atspi, struct deadline *deadline, struct error *err)
{
    bool fresh;

    atspi->until = 0;
    return talk_on_session(deadline, enabling(), err) && talk_begin(atspi, deadline, err) &&
           wake_registry(atspi, deadline, &fresh, err);
}
