/* Reads the objects of an application: those of its cache in one answer, and the rest level by
 * level, all calls of a level at once. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_WALK_H
#define PERIGEE_PLATFORM_ATSPI_WALK_WALK_H

#include "platform/atspi/bus/nodes.h"
#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

struct walk {
    struct atspi *atspi;
    struct deadline *deadline;
    const struct element_query *query; /* none of its limits is 0 */
    struct nodes nodes;
    int root;
    bool trusted;     /* the application's word that something is shown is true */
    bool cut, late;   /* late: cut because the time was over */
    bool reused;      /* the nodes are from an earlier look */
    size_t cached;    /* objects that came from the cache */
    struct point aim; /* the point that hit_read() looks for, as the application counts */
};

/* Fills the set from the application's cache, if it has one. False: the deadline passed or the bus
 * is gone. */
bool cache_read(struct walk *walk, const char *bus, struct error *err);

/* The same of what the application keeps at the moment, without asking it to keep more. */
bool cache_glance(struct walk *walk, const char *bus, struct error *err);

/* Reads some nodes from walk->root on; *size: their estimated number, at least. */
bool walk_sample(struct walk *walk, size_t *size, struct error *err);

/* Reads what is still missing below walk->root. Ends early, and sets cut, at a limit or the
 * deadline. False: the work was cancelled, or the bus is gone. */
bool walk_on(struct walk *walk, struct error *err);

/* Reads the root, the elements in it at the part of it that the query aims at, as the application
 * names them, and others there; only the root if none is named. */
bool hit_read(struct walk *walk, struct error *err);

/* True if the application reports the node as shown, or as visible if its word is not trusted. */
bool walk_may_be_shown(const struct walk *walk, const struct node *node);

/* True if the look goes into the node. */
bool walk_wants(const struct walk *walk, int place, int depth);

/* Takes the answers about a node; used for single objects, too. walk_calls_for() fills NODE_CALLS
 * calls. */
enum { NODE_CALLS = 5 };
void walk_calls_for(const struct node *node, DBusMessage **calls);
void walk_take_answers(struct node *node, DBusMessage **answers);

#endif
