/* Reports changes on a Mac: implements platform/watch.h. */
#ifndef PERIGEE_PLATFORM_MACOS_WATCH_H
#define PERIGEE_PLATFORM_MACOS_WATCH_H

#include "platform/macos/macos.h"
#include "platform/watch.h"

extern const struct watch_ops macos_watch_ops;

/* record.c: watch_ops.record(). "permission_denied_access". */
bool macos_record(struct desktop *handle, int wake_fd, const struct watch_told *told,
                  struct error *err);

void macos_watch_free(struct macos_desktop *desktop);

#endif
