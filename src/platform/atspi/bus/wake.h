/* Accessibility is off until somebody asks for it: Qt and Chromium look once, when they start. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_WAKE_H
#define PERIGEE_PLATFORM_ATSPI_BUS_WAKE_H

#include "platform/atspi/bus/talk.h"

/* Switches it on for what is started from now on, and has the registry run: an application that
 * starts before that may never come to it. Each costs a start of a service the first time. False:
 * "no_accessibility". */
bool wake(struct atspi *atspi, struct deadline *deadline, struct error *err);

/* The registry alone; *fresh: it did not run. */
bool wake_registry(struct atspi *atspi, struct deadline *deadline, bool *fresh, struct error *err);

#endif
