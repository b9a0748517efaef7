/* The visible children of an element that claims more than a look reads, as a sheet of 2^31
 * cells. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_VISIBLE_CHILDREN_H
#define PERIGEE_PLATFORM_ATSPI_WALK_VISIBLE_CHILDREN_H

#include "platform/atspi/walk/walk.h"

/* Gives it the children from its first to its last corner, at most query->children; none if it does
 * not report them. False: as talk_ask(). */
bool visible_children_read(struct walk *walk, int place, struct error *err);

#endif
