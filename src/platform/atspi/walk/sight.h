/* What can be seen of an element that claims more children than a look reads, as a sheet of 2^31
 * cells. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_SIGHT_H
#define PERIGEE_PLATFORM_ATSPI_WALK_SIGHT_H

#include "platform/atspi/walk/walk.h"

/* Its children become those between its first and its last corner, at most query->children; none
 * where it does not tell. False: as talk_ask(). */
bool sight_read(struct walk *walk, int place, struct error *err);

#endif
