/* How a lookout listens to elements: the events of element_ops, as those of a watch. */
#ifndef PERIGEE_PLATFORM_WORKER_HEARING_H
#define PERIGEE_PLATFORM_WORKER_HEARING_H

#include "platform/worker/desktop_watcher.h"

/* For lookout_new(). The operations have elements, which are ready. */
lookout_run hear_elements;

#endif
