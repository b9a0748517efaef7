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

/* Facts that presence.h has learned, each valid while signals_mark() gives the same number. */
struct presence {
    uint64_t no_bus; /* the number at which no accessibility bus ran */
    uint64_t apps;   /* the number at which this was so: */
    int pid;         /* the process that was asked about last */
    char *app;       /* its connection's name, owned; NULL: it is not on the bus */
};

struct atspi {
    struct bus bus; /* the accessibility bus; address NULL: not known yet */
    struct presence presence;
    char *(*display_bus)(void *arg); /* as open() of struct atspi_ops got it */
    void *display_arg;
    bool listening; /* events were registered for: some toolkits build their cache only then */
    bool hears;     /* listen_hear() was called */
    uint64_t until; /* deadline_now() at which talk_ask() gives up, before the deadline itself; 0:
                       none */
    DBusConnection *direct; /* connection for talk_ask() to `direct_to`; NULL: all goes over the
                               bus. Borrowed */
    const char *direct_to;
    char counter[64]; /* the application that was last asked how it counts texts, */
    bool utf16;       /* and whether it counts UTF-16 units: texts.h */
};

/* Until when bus_now() may wait for a bus to take a connection. Never far off, even without a
 * deadline. */
uint64_t talk_until(const struct deadline *deadline);

/* Connects, unless it is connected: asks the session's bus for the accessibility bus's address, and
 * the display if the session does not know one. "no_accessibility". */
bool talk_begin(struct atspi *atspi, struct deadline *deadline, struct error *err);

bool talk_is_connected(const struct atspi *atspi);

/* Connects to this address (taken) in place of the bus until now. "no_accessibility". */
bool talk_connect(struct atspi *atspi, char *address, uint64_t until, struct error *err);

/* Sends one call (taken) on the session's bus; its answer does not matter. False: there is no bus,
 * or no answer in time ("no_accessibility"). */
bool talk_on_session(struct deadline *deadline, DBusMessage *call, struct error *err);

/* A call of an object's method; the caller appends arguments and gives it to talk_ask(). */
DBusMessage *talk_call(const char *to, const char *path, const char *interface, const char *member);

/* A call of org.freedesktop.DBus.Properties.Get, as talk_call(). */
DBusMessage *talk_get(const char *to, const char *path, const char *interface, const char *name);

/* Sends the calls (taken) and waits for all answers. answers[i] is NULL if no answer came in time,
 * or an error did; each is the caller's. False: atspi->until has come ("late"), the deadline
 * passed, the work was cancelled, or the bus is gone ("no_accessibility"): the answers until then
 * are there. */
bool talk_ask(struct atspi *atspi, struct deadline *deadline, DBusMessage **calls, size_t count,
              DBusMessage **answers, struct error *err);

/* Sends one call; NULL and err: "element_gone" (no such connection or object), "not_supported" (no
 * such method), else as talk_ask(). */
DBusMessage *talk_ask_one(struct atspi *atspi, struct deadline *deadline, DBusMessage *call,
                          struct error *err);

void talk_unref(DBusMessage **answers, size_t count);

/* Reads the first value of an answer, if it is of this type (of D-Bus), even inside a variant.
 * Strings are borrowed from the answer. */
bool talk_value(DBusMessage *answer, int type, void *out);

/* Reads the answer of GetState: two words of 32 bits as one. False: it is none. */
bool talk_states(DBusMessage *answer, uint64_t *states);

/* An object of an application; both are borrowed from the answer that has it. */
struct talk_object {
    const char *bus, *path;
};

/* Reads an object, (so), and goes on behind it. False: it is none. */
bool talk_object(DBusMessageIter *at, struct talk_object *out);

/* The path of the object that is the answer, even inside a variant; NULL: it is none, or the null
 * object. The caller's. */
char *talk_path(DBusMessage *answer);

/* Reads a list of objects, a(so), at most `most` of them. False: it is none. */
bool talk_objects(DBusMessage *answer, struct talk_object *out, size_t most, size_t *count);

#endif
