/* The window that has the keyboard. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_FOCUS_H
#define PERIGEE_PLATFORM_X11_WINDOWS_FOCUS_H

#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/x11.h"

/* The server's focus: mostly a window within the focused one. One round trip. */
Window x11_server_focus(struct x11_desktop *desktop);

/* The managed window that has the keyboard, or whose application's popup has it; None: no window
 * has. */
Window x11_focused(struct x11_desktop *desktop);

/* The same in two steps, so that more can be asked in between. */
struct focus_question {
    xcb_get_property_cookie_t active;
    xcb_get_input_focus_cookie_t focus;
    struct around_question around; /* about the last focus: mostly it is the same still */
};

struct focus_question x11_focus_ask(struct x11_desktop *desktop);
Window x11_focus_answer(struct x11_desktop *desktop, struct focus_question question);

/* The window that keys go to, even one that is not managed; None: no window, or the manager's
 * own. */
Window x11_receiver(struct x11_desktop *desktop);
/* Waits a moment for a receiver; false with "no_focus". *out (if not NULL): None if keys go by the
 * pointer. */
bool x11_await_receiver(struct x11_desktop *desktop, struct deadline *deadline, Window *out,
                        struct error *err);
/* The base of the ids of the client that made the window. */
uint32_t x11_client_of(struct x11_desktop *desktop, Window window);

#endif
