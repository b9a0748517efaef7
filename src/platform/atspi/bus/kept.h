/* Trees that were read, kept for the next look, and what the events of their applications have
 * named since. On any thread; one reader at a time has an application's tree.
 *
 * Bounded: KEPT_APPS trees, none of more than KEPT_NODES objects, none longer than KEPT_MS without
 * a look. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_KEPT_H
#define PERIGEE_PLATFORM_ATSPI_BUS_KEPT_H

#include <dbus/dbus.h>

#include "platform/atspi/bus/nodes.h"

enum { KEPT_APPS = 8, KEPT_NODES = 10000, KEPT_MS = 120000, KEPT_NAMED = 1024 };

/* What an application is, which does not change. */
struct kept_about {
    bool known;
    bool trusted;  /* what it says of what is shown is so */
    bool within;   /* it tells places within its windows */
    bool tells;    /* its events name all that changes, but in what scrolls */
    bool lasting;  /* its elements keep their roles, but for those of a document */
    bool quick;    /* its cache has all, and is sooner told than what is shown is held against it */
    bool sized;    /* it is known whether */
    bool undirect; /* it offers no connection of its own */
    int untaken;   /* times that it offered one and did not answer there soon, */
    uint64_t direct_at; /* and when to try again; deadline_now() */
    bool stale;         /* its cache has what is not in its tree any more, and no names for it */
    bool uncached; /* its cache is not to be asked for: it lacks some, or answers with too many */
};

/* Of one application, while a reader has it. */
struct kept {
    bool lent; /* it will be kept: nobody else has it */
    uint64_t turn;
    struct nodes nodes; /* none: all is to be read */
    struct kept_about about;
    uint64_t *named; /* hash_object() of what events named since it was read */
    size_t named_count;
    bool unheard;           /* some events may have been missed */
    DBusConnection *direct; /* its own, not the bus; NULL: none is open */
};

/* The connection of this process that was found last; NULL: none. The caller's. */
char *kept_bus(int pid);

/* Of this connection; .known is false where nothing is kept. */
struct kept_about kept_about(const char *bus);

/* Lends what is kept of it; from now on its events are gathered for the next look. */
void kept_take(const char *bus, int pid, struct kept *out);

/* Takes it back, all of which it takes; worth: the tree may be shown again. */
void kept_put(const char *bus, struct kept *kept, bool worth);

/* What the listener heard. */
void kept_named(const char *bus, const char *path);
void kept_gone(const char *bus);

/* From now on all that happens is told to kept_named(), or (false) no more. */
void kept_listening(bool on);

/* Drops what was not looked at for long. Milliseconds until the next time for that; -1: none. */
int kept_expire(void);

#endif
