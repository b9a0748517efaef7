/* The window with the keyboard: the window manager's answer, if the server agrees.
 *
 * _NET_ACTIVE_WINDOW alone is not to be trusted: the manager may write it late, and a new program
 * may get the id of a window that has just gone. Keys typed then go to the manager's own window,
 * which has the focus meanwhile. */
#include <stdlib.h>

#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/manager.h"
#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum { LOOK_AGAIN_MS = 5, SETTLES_MS = 2000 };

uint32_t x11_client_of(struct x11_desktop *desktop, Window window)
{
    return (uint32_t)window & ~xcb_get_setup(desktop->xcb)->resource_id_mask;
}

static bool is_within(struct x11_desktop *desktop, Window window, Window outer)
{
    while (window && window != desktop->root && window != outer)
        window = x11_parent(desktop, window);
    return window == outer;
}

/* False for a window that is gone or not shown: the focus goes back to PointerRoot when its window
 * goes. */
static bool is_shown(struct x11_desktop *desktop, Window window)
{
    xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
        desktop->xcb, xcb_get_window_attributes(desktop->xcb, (xcb_window_t)window), NULL);
    bool shown = reply && reply->map_state == XCB_MAP_STATE_VIEWABLE;

    free(reply);
    return shown;
}

static Window take_focus(struct x11_desktop *desktop, xcb_get_input_focus_cookie_t asked)
{
    xcb_get_input_focus_reply_t *reply = xcb_get_input_focus_reply(desktop->xcb, asked, NULL);
    Window focus = reply ? reply->focus : None;

    free(reply);
    return focus;
}

Window x11_server_focus(struct x11_desktop *desktop)
{
    return take_focus(desktop, xcb_get_input_focus(desktop->xcb));
}

struct focus_question x11_focus_ask(struct x11_desktop *desktop)
{
    return (struct focus_question){ x11_ask(desktop, desktop->root, A(_NET_ACTIVE_WINDOW), 1),
                                    xcb_get_input_focus(desktop->xcb),
                                    x11_around_ask(desktop, desktop->last_focus) };
}

/* The window around the focus, as x11_client_around() returns it. The question asked ahead is of
 * use if it was about the window that has the focus now. */
static Window take_around(struct x11_desktop *desktop, struct around_question ahead, Window focus,
                          Window active, bool *marked)
{
    desktop->last_focus = focus;
    if (ahead.window == focus)
        return x11_around_answer(desktop, ahead, active, marked);
    x11_around_drop(desktop, ahead);
    return x11_client_around(desktop, focus, active, marked);
}

static Window drop_around(struct x11_desktop *desktop, struct around_question ahead, Window found)
{
    x11_around_drop(desktop, ahead);
    desktop->last_focus = None;
    return found;
}

/* The manager may be late to name the active window, so the server's word comes first: the window
 * that holds the focus. A popup has no such window around it; its application's active window
 * stands for it. */
Window x11_focus_answer(struct x11_desktop *desktop, struct focus_question question)
{
    uint32_t active = None;
    Window focus, client;
    bool marked;

    x11_answer_longs(desktop, question.active, &active, 1);
    focus = take_focus(desktop, question.focus);
    if (focus == active)
        return drop_around(desktop, question.around, active);
    if (focus == PointerRoot)
        return drop_around(desktop, question.around,
                           active && is_shown(desktop, active) ? active : None);
    if (!focus || focus == desktop->root)
        return drop_around(desktop, question.around, None);
    client = take_around(desktop, question.around, focus, active, &marked);
    if (marked || !x11_is_managed(desktop))
        return client;
    if (active && (x11_client_of(desktop, focus) == x11_client_of(desktop, active) ||
                   is_within(desktop, focus, active)))
        return active;
    return None;
}

Window x11_focused(struct x11_desktop *desktop)
{
    return x11_focus_answer(desktop, x11_focus_ask(desktop));
}

Window x11_receiver(struct x11_desktop *desktop)
{
    Window focused = x11_focused(desktop), focus, manager;

    if (focused)
        return focused;
    focus = x11_server_focus(desktop);
    manager = x11_manager(desktop);
    if (focus == PointerRoot || focus == desktop->root ||
        (manager && x11_client_of(desktop, focus) == x11_client_of(desktop, manager)))
        return None;
    return focus;
}

/* True if keys may go to the window under the pointer: there is no window manager. */
static bool goes_by_pointer(struct x11_desktop *desktop)
{
    return x11_server_focus(desktop) == PointerRoot && !x11_manager(desktop);
}

/* While windows come and go, no window has the focus for moments. */
bool x11_await_receiver(struct x11_desktop *desktop, struct deadline *deadline, Window *out,
                        struct error *err)
{
    uint64_t until = deadline_now() + SETTLES_MS;
    Window receiver;

    while (!(receiver = x11_receiver(desktop)) && !goes_by_pointer(desktop)) {
        if (desktop->dead)
            return x11_lost(desktop, err);
        if (deadline_now() >= until)
            return error_set(err, "no_focus",
                             "no window has keyboard focus, so the text would be lost. Focus a "
                             "window, or click into it");
        if (!x11_wait(desktop, deadline, deadline_now() + LOOK_AGAIN_MS, err))
            return false;
    }
    if (out)
        *out = receiver;
    return true;
}
