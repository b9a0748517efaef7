/* One connection to an X server: opening, events, errors, its end. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_CONNECTION_H
#define PERIGEE_PLATFORM_X11_WIRE_CONNECTION_H

#include "platform/x11/wire/x11.h"

/* Connects to DISPLAY. Each event goes to on_event() besides. NULL and "no_display". */
struct x11_desktop *x11_desktop_open(void (*on_event)(struct x11_desktop *desktop, XEvent *event),
                                     struct error *err);
/* After its parts (input, clipboard, capture) were freed. */
void x11_desktop_close(struct x11_desktop *desktop);

/* Runs work() while no connection of this process is opened or closed, which Xlib's extensions
 * have no lock for. */
void x11_exclusively(struct x11_desktop *desktop, void (*work)(struct x11_desktop *desktop));

/* XOpenDisplay() that survives a server which dies meanwhile; NULL then, too. */
Display *x11_connect(void);

/* Handles the events that have arrived. False with "display_lost" when the connection broke. */
bool x11_pump(struct x11_desktop *desktop, struct error *err);

/* Sends what is buffered and waits for events, or until `until` of deadline_now() (0: only the
 * deadline), and handles them. */
bool x11_wait(struct x11_desktop *desktop, struct deadline *deadline, uint64_t until,
              struct error *err);

/* Every operation's first line: is it still wanted, is the connection alive; handles events. */
bool x11_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);

bool x11_lost(struct x11_desktop *desktop, struct error *err); /* "display_lost"; false */

/* X errors of this thread since x11_trap(): 0 or the last one's code. */
void x11_trap(struct x11_desktop *desktop);
int x11_trapped(struct x11_desktop *desktop);

/* The server's clock, as ICCCM wants it for selections. */
bool x11_time(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);

#endif
