/* Grabs. No request asks about them, but a request for a grab with a window that is not shown is
 * refused: "already grabbed" if another client holds the device, else "not viewable" (the X
 * server's GrabDevice() checks in this order), and nothing is disturbed. */
#include "platform/x11/input/grab.h"

#include <stdlib.h>

#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/popup.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum { LOOK_MS = 2, WINDOWS_MAX = 256 };

struct grab_question grab_ask(struct x11_desktop *desktop)
{
    xcb_window_t hidden = (xcb_window_t)desktop->probe;

    return (struct grab_question){
        xcb_grab_keyboard(desktop->xcb, 0, hidden, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC,
                          XCB_GRAB_MODE_ASYNC),
        xcb_grab_pointer(desktop->xcb, 0, hidden, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC,
                         XCB_NONE, XCB_NONE, XCB_CURRENT_TIME),
    };
}

struct grabs grab_answer(struct x11_desktop *desktop, struct grab_question question)
{
    xcb_grab_keyboard_reply_t *keyboard =
        xcb_grab_keyboard_reply(desktop->xcb, question.keyboard, NULL);
    xcb_grab_pointer_reply_t *pointer =
        xcb_grab_pointer_reply(desktop->xcb, question.pointer, NULL);
    struct grabs grabs = { keyboard && keyboard->status == XCB_GRAB_STATUS_ALREADY_GRABBED,
                           pointer && pointer->status == XCB_GRAB_STATUS_ALREADY_GRABBED };

    free(keyboard);
    free(pointer);
    return grabs;
}

void grab_drop(struct x11_desktop *desktop, struct grab_question question)
{
    xcb_discard_reply(desktop->xcb, question.keyboard.sequence);
    xcb_discard_reply(desktop->xcb, question.pointer.sequence);
}

bool grab_await_end(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms,
                    struct grabs *left, struct error *err)
{
    uint64_t until = deadline_now() + ms;

    for (;;) {
        *left = grab_answer(desktop, grab_ask(desktop));
        if ((!left->keyboard && !left->pointer) || deadline_now() >= until || desktop->dead)
            return true;
        if (!x11_wait(desktop, deadline, deadline_now() + LOOK_MS, err))
            return false;
    }
}

/* --- the holder of a grab --------------------------------------------------------------- */

/* True if the window is not shown by a window manager, and is not a frame of one. */
static bool is_popup(struct x11_desktop *desktop, xcb_get_window_attributes_reply_t *shown,
                     xcb_get_geometry_reply_t *place, Window window, uint32_t manager)
{
    return shown && place && shown->override_redirect &&
           shown->map_state == XCB_MAP_STATE_VIEWABLE &&
           shown->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT && place->width >= POPUP_LEAST &&
           place->height >= POPUP_LEAST && x11_client_of(desktop, window) != manager;
}

/* The highest popup of `windows`, which are from the bottom to the top; None if there is none. */
static Window highest_popup(struct x11_desktop *desktop, const xcb_window_t *windows, size_t count)
{
    xcb_get_window_attributes_cookie_t shown[WINDOWS_MAX];
    xcb_get_geometry_cookie_t places[WINDOWS_MAX];
    uint32_t manager =
        x11_client_of(desktop, x11_read_long(desktop, desktop->root, A(_NET_SUPPORTING_WM_CHECK)));
    Window found = None;

    for (size_t i = 0; i < count; i++) {
        shown[i] = xcb_get_window_attributes(desktop->xcb, windows[i]);
        places[i] = xcb_get_geometry(desktop->xcb, windows[i]);
    }
    for (size_t i = count; i-- > 0;) {
        xcb_get_window_attributes_reply_t *attributes =
            xcb_get_window_attributes_reply(desktop->xcb, shown[i], NULL);
        xcb_get_geometry_reply_t *place = xcb_get_geometry_reply(desktop->xcb, places[i], NULL);

        if (!found && is_popup(desktop, attributes, place, windows[i], manager) &&
            !popup_is_bystander(desktop, windows[i]))
            found = windows[i];
        free(attributes);
        free(place);
    }
    return found;
}

void grab_find_holder(struct x11_desktop *desktop, struct grab_holder *out)
{
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
        desktop->xcb, xcb_query_tree(desktop->xcb, (xcb_window_t)desktop->root), NULL);
    size_t count = tree ? (size_t)xcb_query_tree_children_length(tree) : 0;
    size_t skip = count > WINDOWS_MAX ? count - WINDOWS_MAX : 0;
    Window popup =
        count ? highest_popup(desktop, xcb_query_tree_children(tree) + skip, count - skip) : None;

    free(tree);
    *out = (struct grab_holder){ .name = "another application" };
    if (!popup)
        return;
    out->client = x11_client_of(desktop, popup);
    popup_name(desktop, popup, out->name);
}
