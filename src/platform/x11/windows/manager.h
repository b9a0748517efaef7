/* The window manager: which one runs, what it can do, and requests to it. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_MANAGER_H
#define PERIGEE_PLATFORM_X11_WINDOWS_MANAGER_H

#include "platform/x11/wire/x11.h"

/* The window by which a manager that speaks EWMH shows that it runs; None: no such manager runs. */
Window x11_manager(struct x11_desktop *desktop);
/* The same in two steps, so that more can be asked in between. */
xcb_get_property_cookie_t x11_manager_ask(struct x11_desktop *desktop);
Window x11_manager_answer(struct x11_desktop *desktop, xcb_get_property_cookie_t question);
/* True if any window manager runs, even one without EWMH. */
bool x11_is_managed(struct x11_desktop *desktop);
/* True if the running manager lists this in _NET_SUPPORTED. */
bool x11_supports(struct x11_desktop *desktop, Atom what);

/* Sends a client message about a window to the root window, where window managers listen. */
void x11_tell_manager(struct x11_desktop *desktop, Window window, Atom type, const long data[5]);

/* Waits until the window manager has handled all messages so far, for a second at most. A manager
 * that did not answer is not asked again until it does. *handled: it answered; also true when no
 * manager runs. */
bool x11_manager_barrier(struct x11_desktop *desktop, struct deadline *deadline, bool *handled,
                         struct error *err);

/* Asks the application to close its window, by the manager or itself. False: the window has no way
 * to be closed. */
bool x11_ask_to_close(struct x11_desktop *desktop, Window window);

#endif
