/* The application behind a window: has it taken what it was sent? */
#ifndef PERIGEE_PLATFORM_X11_WIRE_CLIENT_H
#define PERIGEE_PLATFORM_X11_WIRE_CLIENT_H

#include "platform/x11/wire/x11.h"

/* Whether a window's application answers pings. */
bool x11_answers(struct x11_desktop *desktop, Window window);
/* Asks for an answer, which comes after the events before it in the application's queue, and after
 * what the application sent in between. */
void x11_ping(struct x11_desktop *desktop, Window window);
/* Whether the last ping was answered. */
bool x11_ponged(const struct x11_desktop *desktop);
/* False: it takes pings, and has not answered one within `ms`; or its process is stopped. */
bool x11_responds(struct x11_desktop *desktop, struct deadline *deadline,
                  const struct window_ref *ref, uint64_t ms);

#endif
