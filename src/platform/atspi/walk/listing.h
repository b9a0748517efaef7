/* Makes a list of elements from the nodes that were read: parents before children, in the
 * application's order. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_LISTING_H
#define PERIGEE_PLATFORM_ATSPI_WALK_LISTING_H

#include "platform/atspi/bus/details.h"
#include "platform/atspi/walk/walk.h"

struct listing {
    const struct walk *walk;
    int pid;
    struct element_tree *out;
    struct detailed *details; /* for each of out->items; owned by the caller */
    size_t room;
};

/* Fills in what a node reports about itself. */
void listing_fill(const struct node *node, struct element_info *info);

/* Called before the first element is added. */
void listing_room(struct listing *listing, size_t room);

/* Adds the node, and the nodes below it that the look is for. The application itself is listed as
 * the root, so that its windows are at depth 1. */
void listing_add(struct listing *listing, int place, int depth, uint64_t parent, uint64_t frame);

#endif
