#include "platform/x11/input/judged.h"

#include <string.h>

#include "platform/x11/input/grab.h"
#include "platform/x11/input/input.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

static bool moved(struct error *err)
{
    return error_set(err, "moved",
                     "the window that this input was judged for does not get it any more");
}

/* A menu of the judged window's application counts as that window. */
static bool is_held_by_another(struct x11_desktop *desktop, Window window)
{
    struct grab_holder holder;

    if (!grab_answer(desktop, grab_ask(desktop)).keyboard)
        return false;
    grab_find_holder(desktop, &holder);
    return holder.client != x11_client_of(desktop, window);
}

void judged_let_go(struct x11_desktop *desktop)
{
    XUngrabServer(desktop->display);
    XFlush(desktop->display);
}

bool judged_hold_keys(struct x11_desktop *desktop, uint64_t window, struct error *err)
{
    XGrabServer(desktop->display);
    if (!window ||
        (x11_receiver(desktop) == window && !is_held_by_another(desktop, (Window)window)))
        return true;
    judged_let_go(desktop);
    return moved(err);
}

/* The child of the root that a window is in. */
static Window outermost(struct x11_desktop *desktop, Window window)
{
    Window parent;

    while (window && (parent = x11_parent(desktop, window)) && parent != desktop->root)
        window = parent;
    return window;
}

bool judged_has(struct x11_desktop *desktop, uint64_t window, Window at, struct error *err)
{
    return !window || outermost(desktop, (Window)window) == outermost(desktop, at) || moved(err);
}

bool judged_hold_button(struct x11_desktop *desktop, uint64_t window, struct error *err)
{
    struct point at;
    Window found = None;
    int x, y;

    XGrabServer(desktop->display);
    if (!window)
        return true;
    at = desktop->input->aimed ? desktop->input->aim
                               : x11_to_root(desktop, x11_pointer_place(desktop));
    XTranslateCoordinates(desktop->display, desktop->root, desktop->root, (int)at.x, (int)at.y, &x,
                          &y, &found);
    if (found == outermost(desktop, (Window)window))
        return true;
    judged_let_go(desktop);
    return moved(err);
}

bool judged_sent_in_part(struct error *err)
{
    return strcmp(err->code, "moved") == 0 &&
           error_set(err, "focus_lost",
                     "the window lost the keyboard or its place while the input was sent. The "
                     "rest was not sent: look at what arrived before you send the rest");
}
