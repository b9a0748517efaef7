/* Where an element says that it is.
 *
 * On the screen, or within its window: GTK 4 does not know where its windows are. Up to 4.8 it told
 * the place in the window for the one on the screen, and 4.18 tells 0,0 of everything. Qt tells
 * nothing right within its windows. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_EXTENTS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_EXTENTS_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* The application with this connection is asked for places within its windows from now on. On any
 * thread. */
void extents_set_within(const char *bus);
bool extents_within(const char *bus);

/* As AT-SPI numbers what places are told in. */
uint32_t extents_coords(const char *bus);

DBusMessage *extents_call(const char *bus, const char *path);

/* False: it says nothing, or what is said of what is hidden: at the end of the world, or of no
 * size. */
bool extents_read(DBusMessage *answer, struct rect *out);

#endif
