/* Reports changes on a Mac: implements platform/watch.h. */
#ifndef PERIGEE_PLATFORM_MACOS_WATCH_H
#define PERIGEE_PLATFORM_MACOS_WATCH_H

#include "platform/macos/macos.h"
#include "platform/watch.h"

extern const struct watch_ops macos_watch_ops;

void macos_watch_free(struct macos_desktop *desktop);

#endif
