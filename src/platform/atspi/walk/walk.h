/* Reading the objects of an application: what its cache has in one answer, and the rest level by
 * level, all calls of a level at once. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_WALK_H
#define PERIGEE_PLATFORM_ATSPI_WALK_WALK_H

#include "platform/atspi/bus/nodes.h"
#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

struct walk {
    struct atspi *atspi;
    struct deadline *deadline;
    const struct element_query *query; /* its limits, none of them 0 */
    struct nodes nodes;
    int root;
    bool trusted;   /* what the application says of what is shown is so */
    bool cut, late; /* late: because the time was over */
    bool kept;      /* the nodes were there before */
    size_t cached;  /* objects that came from the cache */
};

/* Fills the set from the application's cache, if it has one. False: the deadline passed or the bus
 * is gone. */
bool cache_read(struct walk *walk, const char *bus, struct error *err);

/* Reads some from walk->root on, and how many there are at least. */
bool walk_sample(struct walk *walk, size_t *size, struct error *err);

/* Reads what is still missing below walk->root. Ends early, and sets cut, where a limit or the
 * deadline does. False: the work was cancelled, or the bus is gone. */
bool walk_on(struct walk *walk, struct error *err);

/* Not what the application says is switched off, or all that cannot be seen. */
bool walk_may_be_shown(const struct walk *walk, const struct node *node);

/* Is there to be looked into it? */
bool walk_wants(const struct walk *walk, int place, int depth);

/* Takes what an answer says of itself; used for single objects, too. calls_for() fills NODE_CALLS
 * calls. */
enum { NODE_CALLS = 5 };
void walk_calls_for(const struct node *node, DBusMessage **calls);
void walk_take_answers(struct node *node, DBusMessage **answers);

#endif
