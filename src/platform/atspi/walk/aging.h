/* Finds the parts of a kept tree that have to be read again. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_AGING_H
#define PERIGEE_PLATFORM_ATSPI_WALK_AGING_H

#include "platform/atspi/bus/tree_cache.h"

/* Marks each node below `root`. `heard`: all events until now are in cached->named. */
void aging_mark(struct cached_tree *cached, int root, bool heard);

#endif
