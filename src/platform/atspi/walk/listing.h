/* From the nodes that were read to a list of elements: parents before children, in the
 * application's order. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_LISTING_H
#define PERIGEE_PLATFORM_ATSPI_WALK_LISTING_H

#include "platform/atspi/bus/details.h"
#include "platform/atspi/walk/walk.h"

struct listing {
    const struct walk *walk;
    int pid;
    struct element_tree *out;
    struct detailed *details; /* beside out->items; owned by the caller */
    size_t room;
};

/* What a node tells of itself. */
void listing_fill(const struct node *node, struct element_info *info);

/* Before the first is added. */
void listing_room(struct listing *listing, size_t room);

/* What of it, and below it, the look is for. The application itself is listed as the root of all,
 * so that its windows stand at depth 1. */
void listing_add(struct listing *listing, int place, int depth, uint64_t parent, uint64_t frame);

#endif
