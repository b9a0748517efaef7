/* Connections to buses.
 *
 * They are private ones and stay open, one for each bus, and one thread uses it at a time: libdbus
 * would let two threads read from one, and either may then wait for what the other has read. A bus
 * that hangs costs each call its time and no more: dbus_bus_register() would wait for 25 seconds,
 * and many connections that it never takes would stop connect() itself. */
#ifndef PERIGEE_PROCESS_LIBDBUS_CONNECTIONS_H
#define PERIGEE_PROCESS_LIBDBUS_CONNECTIONS_H

#include <dbus/dbus.h>

#include "base/error.h"

struct bus_heard;

struct bus {
    char *address; /* owned */
    DBusConnection *connection;
    DBusPendingCall *hello;  /* NULL: the bus has taken us */
    bool busy;               /* a thread uses it */
    int waiting;             /* others that want to */
    struct bus_heard *heard; /* the signals that this connection listens for: signals.c */
};

/* A monotonic clock, milliseconds. */
uint64_t bus_now(void);

/* Milliseconds from `now` until then, for one wait of libdbus, which takes an int: of a far time
 * the first part only. */
int bus_slice(uint64_t now, uint64_t until);

/* The bus of this address, connected, and for this thread alone until bus_give_back(). NULL:
 * "no_bus"; "timeout", where that was not so by `until` of bus_now(). */
struct bus *bus_take(const char *address, uint64_t until, struct error *err);
void bus_give_back(struct bus *bus);

/* A connection outside of those: the caller has set the address, and uses it from one thread.
 * Connects it, unless it is connected; one that does not answer in time is kept, and the next call
 * goes on waiting for it. False: as bus_take(). */
bool bus_connect(struct bus *bus, uint64_t until, struct error *err);
void bus_disconnect(struct bus *bus);

/* Reads answers until each of these calls has one, or the time has come. */
void bus_await(struct bus *bus, DBusPendingCall **pending, int count, uint64_t until);

/* Ends the pending call (taken; NULL is none) and returns its answer, the caller's; NULL: none has
 * come. libdbus ends a program that takes an answer before it is there. */
DBusMessage *bus_take_answer(DBusPendingCall *pending);

/* Where a bus is: an address is itself, NULL the session's, "system" the system's
 * (DBUS_SYSTEM_BUS_ADDRESS, or the place that the D-Bus specification names). Owned by the caller.
 * NULL: "no_bus". */
char *bus_address(const char *name, struct error *err);

/* Owned by the caller. NULL: "no_bus". Never one that libdbus would start: it looks for a program
 * for that where nothing is set. */
char *bus_session_address(struct error *err);

#endif
