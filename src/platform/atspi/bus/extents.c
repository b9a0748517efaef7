#include "platform/atspi/bus/extents.h"

enum { COORDS_SCREEN = 0 };

DBusMessage *extents_call(const char *bus, const char *path)
{
    DBusMessage *call = talk_call(bus, path, ATSPI_IFACE("Component"), "GetExtents");
    dbus_uint32_t coords = COORDS_SCREEN;

    dbus_message_append_args(call, DBUS_TYPE_UINT32, &coords, DBUS_TYPE_INVALID);
    return call;
}

bool extents_read(DBusMessage *answer, struct rect *out)
{
    DBusMessageIter at, inside;
    dbus_int32_t numbers[4];

    if (!answer || !dbus_message_has_signature(answer, "(iiii)"))
        return false;
    dbus_message_iter_init(answer, &at);
    dbus_message_iter_recurse(&at, &inside);
    for (size_t i = 0; i < countof(numbers); i++) {
        dbus_message_iter_get_basic(&inside, &numbers[i]);
        dbus_message_iter_next(&inside);
    }
    if (numbers[0] < -1000000 || numbers[1] < -1000000 || numbers[2] <= 0 || numbers[3] <= 0)
        return false;
    *out = (struct rect){ numbers[0], numbers[1], numbers[2], numbers[3] };
    return true;
}
