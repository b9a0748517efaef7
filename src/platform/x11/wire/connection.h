/* One connection to an X server: opening, events, errors, its end. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_CONNECTION_H
#define PERIGEE_PLATFORM_X11_WIRE_CONNECTION_H

#include "platform/x11/wire/x11.h"

/* Connects to DISPLAY. on_event() gets each event as well. NULL and "no_display". */
struct x11_desktop *x11_desktop_open(void (*on_event)(struct x11_desktop *desktop, XEvent *event),
                                     struct error *err);
/* Called after the parts (input, clipboard, capture) were freed. */
void x11_desktop_close(struct x11_desktop *desktop);

/* Runs work() while no connection of this process is opened or closed, for which Xlib's extensions
 * have no lock. */
void x11_exclusively(struct x11_desktop *desktop, void (*work)(struct x11_desktop *desktop));

/* Opens a display as XOpenDisplay() does, and survives a server that dies meanwhile; NULL then as
 * well. */
Display *x11_connect(void);

/* Handles the events that have arrived, and looks where the main display is if it may have moved.
 * False with "display_lost" when the connection broke. */
bool x11_pump(struct x11_desktop *desktop, struct error *err);

/* Sends what is buffered and waits for events, or until `until` of deadline_now() (0: only the
 * deadline), and handles them. */
bool x11_wait(struct x11_desktop *desktop, struct deadline *deadline, uint64_t until,
              struct error *err);

/* Begins an operation; each calls it first: checks that it is still wanted and the connection
 * alive, and handles events. */
bool x11_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);

bool x11_lost(struct x11_desktop *desktop, struct error *err); /* "display_lost"; false */

/* The X errors of this thread since x11_trap(): 0 or the last one's code. */
void x11_trap(struct x11_desktop *desktop);
int x11_trapped(struct x11_desktop *desktop);

/* Reads the server's clock, as ICCCM wants it for selections, into desktop->time. */
bool x11_time(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);

#endif
