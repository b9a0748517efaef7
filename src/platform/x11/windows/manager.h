/* The window manager: which one runs, what it can do, and telling it. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_MANAGER_H
#define PERIGEE_PLATFORM_X11_WINDOWS_MANAGER_H

#include "platform/x11/wire/x11.h"

/* The window by which one that speaks EWMH shows that it runs; None: none such does. */
Window x11_manager(struct x11_desktop *desktop);
/* The same in two steps, so that more can be asked in between. */
xcb_get_property_cookie_t x11_manager_ask(struct x11_desktop *desktop);
Window x11_manager_answer(struct x11_desktop *desktop, xcb_get_property_cookie_t question);
/* Whether any window manager runs, also one without EWMH. */
bool x11_is_managed(struct x11_desktop *desktop);
/* Whether the one that runs says that it does this. */
bool x11_supports(struct x11_desktop *desktop, Atom what);

/* A client message about a window, to the root window, where window managers listen. */
void x11_tell_manager(struct x11_desktop *desktop, Window window, Atom type, const long data[5]);

/* Waits until the window manager has handled all it was told so far, for a second at most, and
 * once: one that did not answer is not asked again until it does. *handled: it answered; also true
 * when none runs. */
bool x11_manager_barrier(struct x11_desktop *desktop, struct deadline *deadline, bool *handled,
                         struct error *err);

/* Asks the application to close its window, by the manager or itself. False: the window has no way
 * to be closed. */
bool x11_ask_to_close(struct x11_desktop *desktop, Window window);

#endif
