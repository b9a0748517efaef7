/* Keeps Xlib alive on a connection that broke, and ends such a connection. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_BROKEN_H
#define PERIGEE_PLATFORM_X11_WIRE_BROKEN_H

#include <X11/Xlib.h>

/* For the handler of XSetIOErrorExitHandler(): requests on this display go nowhere from now on,
 * and do no harm. Without it Xlib's buffer fills, and the next request is written to NULL. */
void x11_mend_buffer(Display *display);

/* Ends a connection that broke, in place of XCloseDisplay(), which may wait for ever in it: closes
 * its socket and keeps its memory. On any thread. */
void x11_leave_behind(Display *display);

#endif
