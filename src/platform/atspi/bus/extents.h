/* The bounds that an element reports.
 *
 * They are on the screen, or within its window: GTK 4 does not know where its windows are. Up to
 * 4.8 it reported the place in the window as the one on the screen, and 4.18 reports 0,0 for
 * everything. Qt reports no right places within its windows. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_EXTENTS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_EXTENTS_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* From now on asks the application with this connection for places within its windows. On any
 * thread. */
void extents_set_within(const char *bus);
bool extents_within(const char *bus);

/* AT-SPI's number for the system of the application's places. */
uint32_t extents_coords(const char *bus);

DBusMessage *extents_call(const char *bus, const char *path);

/* False: the answer has no bounds, or those of something hidden: far outside, or without a size. */
bool extents_read(DBusMessage *answer, struct rect *out);

#endif
