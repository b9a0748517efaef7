/* A connection to an application itself, past the accessibility bus, which makes each call half as
 * long. atk-bridge, which GTK 3 and LibreOffice have, offers one.
 *
 * The application never forgets a connection that it took, so it is opened once and kept. No events
 * come over it. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_DIRECT_H
#define PERIGEE_PLATFORM_ATSPI_BUS_DIRECT_H

#include "platform/atspi/bus/talk.h"

/* Connects to the application with this name on the bus, which has to be this process and has
 * answered on the connection. The caller's; NULL: the application offers none, or (*offered) it did
 * not answer soon. */
DBusConnection *direct_open(struct atspi *atspi, struct deadline *deadline, const char *bus,
                            int pid, bool *offered);

void direct_close(DBusConnection *connection); /* accepts NULL */

#endif
