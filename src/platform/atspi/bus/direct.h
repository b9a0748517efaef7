/* A connection to an application itself, past the accessibility bus: half the way for each call.
 * atk-bridge, which GTK 3 and LibreOffice have, offers one.
 *
 * The application never forgets one that it took, so it is opened once and kept. No events come
 * over it. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_DIRECT_H
#define PERIGEE_PLATFORM_ATSPI_BUS_DIRECT_H

#include "platform/atspi/bus/talk.h"

/* To the application with this name on the bus, which has to be this process. It was heard to
 * answer. The caller's; NULL: it offers none, or (offered) it did not answer soon. */
DBusConnection *direct_open(struct atspi *atspi, struct deadline *deadline, const char *bus,
                            int pid, bool *offered);

void direct_close(DBusConnection *connection); /* accepts NULL */

#endif
