/* Finds the parts of a kept tree that have to be read again. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_AGING_H
#define PERIGEE_PLATFORM_ATSPI_WALK_AGING_H

#include "platform/atspi/bus/kept.h"

/* Marks each node below `root`. `heard`: all events until now are in kept->named. */
void aging_mark(struct kept *kept, int root, bool heard);

#endif
