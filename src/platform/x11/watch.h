/* Reports changes on an X display: implements platform/watch.h. */
#ifndef PERIGEE_PLATFORM_X11_WATCH_H
#define PERIGEE_PLATFORM_X11_WATCH_H

#include "platform/watch.h"
#include "platform/x11/wire/x11.h"

struct x11_watch;

extern const struct watch_ops x11_watch_ops;

/* record.c: watch_ops.record(). "not_supported": the server lacks the RECORD extension, or is
 * Xwayland, which only knows the input for its own windows. */
bool x11_record(struct desktop *handle, int wake_fd, const struct watch_told *told,
                struct error *err);

/* Accepts any event. */
void x11_watch_event(struct x11_desktop *desktop, XEvent *event);

void x11_watch_free(struct x11_desktop *desktop);

#endif
