#include "platform/atspi/keys.h"

#include "platform/atspi/bus/presence.h"

/* Qt waits 100 ms for the registry, and then takes the key without an answer
 * (QSpiApplicationAdaptor::eventFilter). */
enum { REGISTRY_MS = 150 };

/* Answers of Qt after which it has handed on the keys that it had read. It may give one before: its
 * loop reads from the display, answers calls, and only then looks at the keys. */
enum { HANDED = 2 };

static bool has_any(DBusMessage *answer)
{
    DBusMessageIter list, item;

    if (!dbus_message_iter_init(answer, &list) ||
        dbus_message_iter_get_arg_type(&list) != DBUS_TYPE_ARRAY)
        return true;
    dbus_message_iter_recurse(&list, &item);
    return dbus_message_iter_get_arg_type(&item) != DBUS_TYPE_INVALID;
}

/* Asks the registry who listens to events. It answers in turn, so then it has answered for the keys
 * before. While nobody listens none are handed to it. */
static void ask_registry(struct atspi *atspi, struct deadline *deadline, struct atspi_keys *keys)
{
    struct error late;
    DBusMessage *call = talk_call(ATSPI_REGISTRY, "/org/a11y/atspi/registry",
                                  ATSPI_IFACE("Registry"), "GetRegisteredEvents");
    DBusMessage *answer = talk_ask_one(atspi, deadline, call, &late);

    if (answer) {
        keys->answered = true;
        keys->taken = !has_any(answer);
        dbus_message_unref(answer);
    } else {
        keys->answered = deadline_now() >= keys->handed + REGISTRY_MS;
    }
}

/* True once it has answered, which it does in turn. An error is an answer, too; silence is none. */
static bool ask_application(struct atspi *atspi, struct deadline *deadline, const char *bus)
{
    struct error err;
    DBusMessage *answer = talk_ask_one(
        atspi, deadline, talk_get(bus, ATSPI_ROOT, ATSPI_IFACE("Accessible"), "ChildCount"), &err);
    bool answered = answer || (strcmp(err.code, "late") != 0 && strcmp(err.code, "timeout") != 0);

    if (answer)
        dbus_message_unref(answer);
    return answered;
}

void keys_ask(struct atspi *atspi, struct atspi_keys *keys, uint64_t ms)
{
    struct deadline deadline = deadline_of(ms + REGISTRY_MS);
    bool runs = false, absent = false;
    struct error late;
    const char *bus;

    keys->taken = !presence_begin(atspi, &deadline, &runs, &late) || !runs;
    if (keys->taken)
        return;
    atspi->until = deadline_now() + ms;
    bus = presence_app(atspi, &deadline, keys->pid, &absent, &late);
    keys->taken = absent;
    while (bus && keys->looked < HANDED && ask_application(atspi, &deadline, bus))
        keys->looked++;
    if (keys->looked == HANDED && !keys->handed)
        keys->handed = deadline_now();
    if (bus && keys->looked == HANDED && !keys->answered)
        ask_registry(atspi, &deadline, keys);
    if (bus && keys->answered && !keys->taken)
        keys->taken = ask_application(atspi, &deadline, bus);
    atspi->until = 0;
}
