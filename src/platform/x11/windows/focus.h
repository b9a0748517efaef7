/* Who has the keyboard. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_FOCUS_H
#define PERIGEE_PLATFORM_X11_WINDOWS_FOCUS_H

#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/x11.h"

/* The server's word for it: mostly a window within that one. One round trip. */
Window x11_server_focus(struct x11_desktop *desktop);

/* The managed window whose keys go to it or to a window of its application; None: none has. */
Window x11_focused(struct x11_desktop *desktop);

/* The same in two steps, so that more can be asked in between. */
struct focus_question {
    xcb_get_property_cookie_t active;
    xcb_get_input_focus_cookie_t focus;
    struct around_question around; /* of the window that had it last: mostly it has it still */
};

struct focus_question x11_focus_ask(struct x11_desktop *desktop);
Window x11_focus_answer(struct x11_desktop *desktop, struct focus_question question);

/* The window that keys go to, also one that nobody manages; None: nobody, or the manager itself. */
Window x11_receiver(struct x11_desktop *desktop);
/* Waits a moment for a receiver; false with "no_focus". *out (if not NULL): None where keys go by
 * the pointer. */
bool x11_await_receiver(struct x11_desktop *desktop, struct deadline *deadline, Window *out,
                        struct error *err);
/* The base of the ids of the client that made the window. */
uint32_t x11_client_of(struct x11_desktop *desktop, Window window);

#endif
