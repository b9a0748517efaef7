/* How a watcher listens to elements: the events of element_ops, as those of a watch. */
#ifndef PERIGEE_PLATFORM_WORKER_WATCH_ELEMENTS_H
#define PERIGEE_PLATFORM_WORKER_WATCH_ELEMENTS_H

#include "platform/worker/desktop_watcher.h"

/* For desktop_watcher_new(). The operations have elements, which are ready. */
desktop_watcher_run watch_elements;

#endif
