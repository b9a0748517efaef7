/* The application behind a window: whether it has taken the events that were sent to it. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_CLIENT_H
#define PERIGEE_PLATFORM_X11_WIRE_CLIENT_H

#include "platform/x11/wire/x11.h"

/* True if a window's application answers pings. */
bool x11_answers(struct x11_desktop *desktop, Window window);
/* Asks for an answer, which comes after the events before it in the application's queue, and after
 * the application's requests in between. */
void x11_ping(struct x11_desktop *desktop, Window window);
/* True if the last ping was answered. */
bool x11_ponged(const struct x11_desktop *desktop);
/* False: the application takes pings, and has not answered one within `ms`; or its process is
 * stopped. */
bool x11_responds(struct x11_desktop *desktop, struct deadline *deadline,
                  const struct window_ref *ref, uint64_t ms);

#endif
