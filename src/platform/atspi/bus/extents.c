#include "platform/atspi/bus/extents.h"

#include <pthread.h>
#include <stdio.h>

enum { COORDS_SCREEN = 0, COORDS_WINDOW = 1, WITHIN_MAX = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char within[WITHIN_MAX][32]; /* a ring of the last connections */
static size_t within_count;

static bool find_within(const char *bus)
{
    for (size_t i = 0; i < within_count && i < WITHIN_MAX; i++) {
        if (strcmp(within[i], bus) == 0)
            return true;
    }
    return false;
}

void extents_set_within(const char *bus)
{
    pthread_mutex_lock(&lock);
    if (strlen(bus) < sizeof *within && !find_within(bus))
        snprintf(within[within_count++ % WITHIN_MAX], sizeof *within, "%s", bus);
    pthread_mutex_unlock(&lock);
}

bool extents_within(const char *bus)
{
    bool found;

    pthread_mutex_lock(&lock);
    found = find_within(bus);
    pthread_mutex_unlock(&lock);
    return found;
}

uint32_t extents_coords(const char *bus)
{
    return extents_within(bus) ? COORDS_WINDOW : COORDS_SCREEN;
}

DBusMessage *extents_call(const char *bus, const char *path)
{
    DBusMessage *call = talk_call(bus, path, ATSPI_IFACE("Component"), "GetExtents");
    dbus_uint32_t coords = extents_coords(bus);

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
