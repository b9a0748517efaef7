/* Talking on the accessibility bus: many calls on their way at once, within one deadline. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_TALK_H
#define PERIGEE_PLATFORM_ATSPI_BUS_TALK_H

#include <dbus/dbus.h>

#include "platform/deadline.h"
#include "process/libdbus/connections.h"

#define ATSPI_ROOT        "/org/a11y/atspi/accessible/root"
#define ATSPI_NULL        "/org/a11y/atspi/null"
#define ATSPI_REGISTRY    "org.a11y.atspi.Registry"
#define ATSPI_CACHE_PATH  "/org/a11y/atspi/cache"
#define ATSPI_IFACE(name) "org.a11y.atspi." name

struct atspi {
    struct bus bus; /* of accessibility; address NULL: not known yet */
    bool listening; /* events were registered for: some toolkits build their cache only then */
    bool hears;     /* listen_hear() */
    uint64_t until; /* deadline_now(), for talk_ask(), before the deadline itself; 0: none */
    DBusConnection *direct; /* talk_ask() asks `direct_to` there; NULL: all on the bus. Borrowed */
    const char *direct_to;
};

/* Of bus_now(): until when to wait for a bus to take a connection. Never far, also without a
 * deadline. */
uint64_t talk_until(const struct deadline *deadline);

/* Connects if that is not so: asks the session's bus where the other one is, and whether it is
 * switched on. "no_accessibility". */
bool talk_begin(struct atspi *atspi, struct deadline *deadline, struct error *err);

/* One call (taken) on the session's bus, whose answer does not matter. False: there is none, in
 * time
 * ("no_accessibility"). */
bool talk_on_session(struct deadline *deadline, DBusMessage *call, struct error *err);

/* A call of an object's method; the caller appends arguments and gives it to talk_ask(). */
DBusMessage *talk_call(const char *to, const char *path, const char *interface, const char *member);

/* ... of org.freedesktop.DBus.Properties.Get. */
DBusMessage *talk_get(const char *to, const char *path, const char *interface, const char *name);

/* Sends the calls (taken) and waits for all answers. answers[i] is NULL where none came in time, or
 * an error did; each is the caller's. False: atspi->until has come ("late"), the deadline passed,
 * the work was cancelled, or the bus is gone ("no_accessibility"): what came until then is there.
 */
bool talk_ask(struct atspi *atspi, struct deadline *deadline, DBusMessage **calls, size_t count,
              DBusMessage **answers, struct error *err);

/* One call; NULL and err: "element_gone" (nobody is there, or there is no such object),
 * "not_supported" (no such method), else as talk_ask(). */
DBusMessage *talk_ask_one(struct atspi *atspi, struct deadline *deadline, DBusMessage *call,
                          struct error *err);

void talk_unref(DBusMessage **answers, size_t count);

/* Reads the first value of an answer, where it is of this type (of D-Bus), also inside a variant.
 * Strings are borrowed from the answer. */
bool talk_value(DBusMessage *answer, int type, void *out);

#endif
