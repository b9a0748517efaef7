/* Where an element says that it is. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_EXTENTS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_EXTENTS_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

DBusMessage *extents_call(const char *bus, const char *path);

/* False: it says nothing, or what is said of what is hidden: at the end of the world, or of no
 * size. */
bool extents_read(DBusMessage *answer, struct rect *out);

#endif
