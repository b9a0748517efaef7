/* The window manager: which one runs, what it can do, and telling it. */
#include "platform/x11/windows/manager.h"

#include <stdlib.h>

#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum { BARRIER_MS = 1000 };

/* A manager that was killed leaves the property on the root window, but not the window that it
 * names. */
Window x11_manager_answer(struct x11_desktop *desktop, xcb_get_property_cookie_t question)
{
    uint32_t mark = None;

    x11_answer_longs(desktop, question, &mark, 1);
    return mark && x11_read_long(desktop, mark, A(_NET_SUPPORTING_WM_CHECK)) == mark ? mark : None;
}

xcb_get_property_cookie_t x11_manager_ask(struct x11_desktop *desktop)
{
    return x11_ask(desktop, desktop->root, A(_NET_SUPPORTING_WM_CHECK), 1);
}

Window x11_manager(struct x11_desktop *desktop)
{
    return x11_manager_answer(desktop, x11_manager_ask(desktop));
}

/* Only one client at a time may select these events of the root window. */
bool x11_is_managed(struct x11_desktop *desktop)
{
    xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
        desktop->xcb, xcb_get_window_attributes(desktop->xcb, (xcb_window_t)desktop->root), NULL);
    bool managed = reply && (reply->all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT);

    free(reply);
    return managed;
}

bool x11_supports(struct x11_desktop *desktop, Atom what)
{
    return x11_manager(desktop) && x11_has_atom(desktop, desktop->root, A(_NET_SUPPORTED), what);
}

void x11_tell_manager(struct x11_desktop *desktop, Window window, Atom type, const long data[5])
{
    XEvent event = {
        .xclient = { .type = ClientMessage, .window = window, .message_type = type, .format = 32 }
    };

    memcpy(event.xclient.data.l, data, 5 * sizeof(long));
    XSendEvent(desktop->display, desktop->root, False,
               SubstructureNotifyMask | SubstructureRedirectMask, &event);
}

/* A manager handles its messages in order, and grants a request to place a window that it does not
 * manage (ICCCM 4.1.5): when our probe, which is never mapped, moves, the messages before have been
 * handled. */
bool x11_manager_barrier(struct x11_desktop *desktop, struct deadline *deadline, bool *handled,
                         struct error *err)
{
    uint64_t until = deadline_now() + BARRIER_MS;
    Window manager = x11_manager(desktop);

    *handled = false;
    if (desktop->mute && desktop->mute_manager == manager)
        return true;
    desktop->probe_moved = false;
    desktop->probe_x = desktop->probe_x == -20 ? -10 : -20; /* it was made at -10 */
    XMoveWindow(desktop->display, desktop->probe, desktop->probe_x, -10);
    while (!desktop->probe_moved && deadline_now() < until) {
        if (!x11_wait(desktop, deadline, until, err))
            return false;
    }
    *handled = desktop->probe_moved;
    desktop->mute = !*handled;
    desktop->mute_manager = manager;
    return true;
}

static bool takes_protocol(struct x11_desktop *desktop, Window window, Atom protocol)
{
    return x11_has_atom(desktop, window, A(WM_PROTOCOLS), protocol);
}

bool x11_ask_to_close(struct x11_desktop *desktop, Window window)
{
    static const long by_manager[5] = { 0, 2, 0, 0, 0 };
    XEvent event = { .xclient = { .type = ClientMessage,
                                  .window = window,
                                  .message_type = A(WM_PROTOCOLS),
                                  .format = 32 } };

    if (x11_supports(desktop, A(_NET_CLOSE_WINDOW))) {
        x11_tell_manager(desktop, window, A(_NET_CLOSE_WINDOW), by_manager);
        return true;
    }
    if (!takes_protocol(desktop, window, A(WM_DELETE_WINDOW)))
        return false;
    event.xclient.data.l[0] = (long)A(WM_DELETE_WINDOW);
    event.xclient.data.l[1] = CurrentTime;
    XSendEvent(desktop->display, window, False, NoEventMask, &event);
    return true;
}
