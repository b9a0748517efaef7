/* Watching elements: passes events of element_ops on as those of a watch. */
#ifndef PERIGEE_PLATFORM_WORKER_WATCH_ELEMENTS_H
#define PERIGEE_PLATFORM_WORKER_WATCH_ELEMENTS_H

#include "platform/worker/desktop_watcher.h"

/* The run function for desktop_watcher_new(). The operations have elements, which are ready. */
desktop_watcher_run watch_elements;

#endif
