/* Trees that were read, kept for the next look, and the objects that events of their applications
 * have named since. On any thread; one reader at a time has an application's tree.
 *
 * Bounded: TREE_CACHE_APPS trees, none of more than TREE_CACHE_NODES objects, none longer than
 * TREE_CACHE_MS without a look. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_TREE_CACHE_H
#define PERIGEE_PLATFORM_ATSPI_BUS_TREE_CACHE_H

#include <dbus/dbus.h>

#include "platform/atspi/bus/nodes.h"

enum {
    TREE_CACHE_APPS = 8,
    TREE_CACHE_NODES = 10000,
    TREE_CACHE_MS = 120000,
    TREE_CACHE_NAMED = 1024
};

/* The properties of an application that do not change. */
struct tree_about {
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

/* The tree of one application, while a reader has it. */
struct cached_tree {
    bool lent; /* it will be kept: no other reader has it */
    uint64_t turn;
    struct nodes nodes; /* none: all of the tree has to be read */
    struct tree_about about;
    uint64_t *named; /* hash_object() of the objects that events named since it was read */
    size_t named_count;
    bool unheard;           /* some events may have been missed */
    DBusConnection *direct; /* its own, not the bus; NULL: none is open */
};

/* The last known connection of this process; NULL: none. The caller's. */
char *tree_cache_bus(int pid);

/* The properties of the application with this connection; .known is false if nothing is kept. */
struct tree_about tree_cache_about(const char *bus);

/* Lends the kept tree; from now on the application's events are gathered for the next look. */
void tree_cache_take(const char *bus, int pid, struct cached_tree *out);

/* Takes the tree back, and all its memory; worth: the tree may be used again. */
void tree_cache_put(const char *bus, struct cached_tree *cached, bool worth);

/* Called by the listener: an event named the object, or the connection is gone. */
void tree_cache_named(const char *bus, const char *path);
void tree_cache_gone(const char *bus);

/* The listener will call tree_cache_named() for all events from now on, or (false) no more. */
void tree_cache_listening(bool on);

/* Drops the trees that were not used for long. Returns the milliseconds until the next is due; -1:
 * none. */
int tree_cache_expire(void);

#endif
