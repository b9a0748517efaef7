/* Accessibility is off until a client asks for it: Qt and Chromium check once, when they start. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_WAKE_H
#define PERIGEE_PLATFORM_ATSPI_BUS_WAKE_H

#include "platform/atspi/bus/talk.h"

/* Switches accessibility on for applications that are started from now on, and starts the registry:
 * an application that starts before that may never register. Each of the two starts a service the
 * first time. False: "no_accessibility". */
bool wake(struct atspi *atspi, struct deadline *deadline, struct error *err);

/* Starts the registry alone; *fresh: it did not run. */
bool wake_registry(struct atspi *atspi, struct deadline *deadline, bool *fresh, struct error *err);

#endif
