#include "platform/atspi/bus/texts.h"

#include <stdio.h>

#include "base/util.h"

bool texts_knows_unit(const struct atspi *atspi, const char *bus)
{
    return strcmp(atspi->counter, bus) == 0;
}

DBusMessage *texts_ask_unit(const struct atspi *atspi, const char *bus)
{
    if (texts_knows_unit(atspi, bus))
        return NULL;
    return talk_get(bus, ATSPI_ROOT, ATSPI_IFACE("Application"), "ToolkitName");
}

void texts_take_unit(struct atspi *atspi, const char *bus, DBusMessage *answer)
{
    const char *toolkit = "";

    if (strlen(bus) >= sizeof atspi->counter)
        return;
    talk_value(answer, DBUS_TYPE_STRING, &toolkit);
    atspi->utf16 = strcmp(toolkit, "Qt") == 0;
    snprintf(atspi->counter, sizeof atspi->counter, "%s", answer ? bus : "");
}

DBusMessage *texts_ask(const char *bus, const char *path, dbus_int32_t from, dbus_int32_t to)
{
    DBusMessage *call = talk_call(bus, path, ATSPI_IFACE("Text"), "GetText");

    dbus_message_append_args(call, DBUS_TYPE_INT32, &from, DBUS_TYPE_INT32, &to, DBUS_TYPE_INVALID);
    return call;
}

char *texts_take(DBusMessage *answer)
{
    const char *text;

    return talk_value(answer, DBUS_TYPE_STRING, &text) ? mem_strdup(text) : NULL;
}

char *texts_read_units(struct atspi *atspi, struct deadline *deadline, const char *bus,
                       const char *path, struct error *err)
{
    DBusMessage *call = texts_ask_unit(atspi, bus), *answer = NULL;
    char *text = NULL;
    bool ok = true;

    *err = (struct error){ 0 };
    if (call) {
        ok = talk_ask(atspi, deadline, &call, 1, &answer, err);
        texts_take_unit(atspi, bus, answer);
        talk_unref(&answer, 1);
    }
    if (!ok || !atspi->utf16)
        return NULL;
    call = texts_ask(bus, path, 0, -1);
    if (talk_ask(atspi, deadline, &call, 1, &answer, err))
        text = texts_take(answer);
    talk_unref(&answer, 1);
    return text;
}
