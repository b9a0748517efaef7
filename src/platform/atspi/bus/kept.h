/* Trees that were read, kept for the next look, and the objects that events of their applications
 * have named since. On any thread; one reader at a time has an application's tree.
 *
 * Bounded: KEPT_APPS trees, none of more than KEPT_NODES objects, none longer than KEPT_MS without
 * a look. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_KEPT_H
#define PERIGEE_PLATFORM_ATSPI_BUS_KEPT_H

#include <dbus/dbus.h>

#include "platform/atspi/bus/nodes.h"

enum { KEPT_APPS = 8, KEPT_NODES = 10000, KEPT_MS = 120000, KEPT_NAMED = 1024 };

/* The properties of an application that do not change. */
struct kept_about {
    bool known;
    bool trusted;  /* its word that something is shown is true */
    bool within;   /* it reports places within its windows */
    bool tells;    /* its events name all changes but those in scrolled parts */
    bool lasting;  /* its elements keep their roles, except those of a document */
    bool quick;    /* its cache is complete, and quicker to read than a kept tree is to check */
    bool sized;    /* it is known whether its tree is small enough for the cache */
    bool undirect; /* it offers no connection of its own */
    int untaken;   /* times that it offered one and did not answer there soon */
    uint64_t direct_at; /* deadline_now() of the next try */
    bool stale;         /* its cache has elements that have left its tree, and no names for them */
    bool uncached;      /* its cache is not to be used: it lacks some elements, or is too large */
};

/* The kept part of one application, while a reader has it. */
struct kept {
    bool lent; /* it will be kept: no other reader has it */
    uint64_t turn;
    struct nodes nodes; /* none: all of the tree has to be read */
    struct kept_about about;
    uint64_t *named; /* hash_object() of the objects that events named since it was read */
    size_t named_count;
    bool unheard;           /* some events may have been missed */
    DBusConnection *direct; /* its own, not the bus; NULL: none is open */
};

/* The last known connection of this process; NULL: none. The caller's. */
char *kept_bus(int pid);

/* The properties of the application with this connection; .known is false if nothing is kept. */
struct kept_about kept_about(const char *bus);

/* Lends the kept tree; from now on the application's events are gathered for the next look. */
void kept_take(const char *bus, int pid, struct kept *out);

/* Takes the tree back, and all its memory; worth: the tree may be used again. */
void kept_put(const char *bus, struct kept *kept, bool worth);

/* Called by the listener: an event named the object, or the connection is gone. */
void kept_named(const char *bus, const char *path);
void kept_gone(const char *bus);

/* The listener will call kept_named() for all events from now on, or (false) no more. */
void kept_listening(bool on);

/* Drops the trees that were not used for long. Returns the milliseconds until the next is due; -1:
 * none. */
int kept_expire(void);

#endif
