/* Xlib on a connection that broke. */
#ifndef PERIGEE_PLATFORM_X11_BROKEN_H
#define PERIGEE_PLATFORM_X11_BROKEN_H

#include <X11/Xlib.h>

/* For the handler of XSetIOErrorExitHandler(): requests on this display go nowhere from now on,
 * and do no harm. Without it Xlib's buffer fills, and the next request is written to NULL. */
void x11_mend_buffer(Display *display);

#endif
