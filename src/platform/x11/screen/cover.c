/* A window that is covered, or beyond the screen's edge, has no pixels on the server there until it
 * is redirected: then it has the pixels of the windows that lay over it, and its application is
 * asked to paint them again (Composite protocol, "RedirectWindow"). Under a compositing window
 * manager all windows are redirected already. */
#include "platform/x11/screen/cover.h"

#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/connection.h"

static xcb_get_selection_owner_cookie_t ask_compositor(struct x11_desktop *desktop)
{
    char name[32];

    snprintf(name, sizeof name, "_NET_WM_CM_S%d", desktop->screen);
    return xcb_get_selection_owner(desktop->xcb,
                                   (xcb_atom_t)XInternAtom(desktop->display, name, False));
}

static bool take_compositor(struct x11_desktop *desktop, xcb_get_selection_owner_cookie_t asked)
{
    xcb_get_selection_owner_reply_t *reply =
        xcb_get_selection_owner_reply(desktop->xcb, asked, NULL);
    bool owned = reply && reply->owner != XCB_NONE;

    free(reply);
    return owned;
}

struct question {
    xcb_get_window_attributes_cookie_t shown;
    xcb_get_geometry_cookie_t place;
};

static bool lies_over(struct x11_desktop *desktop, struct question question, int x, int y,
                      int width, int height)
{
    xcb_get_window_attributes_reply_t *shown =
        xcb_get_window_attributes_reply(desktop->xcb, question.shown, NULL);
    xcb_get_geometry_reply_t *place = xcb_get_geometry_reply(desktop->xcb, question.place, NULL);
    bool over = false;

    if (shown && place && shown->map_state == XCB_MAP_STATE_VIEWABLE &&
        shown->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT) {
        int border = 2 * place->border_width;

        over = place->x < x + width && x < place->x + place->width + border &&
               place->y < y + height && y < place->y + place->height + border;
    }
    free(shown);
    free(place);
    return over;
}

/* Asks about all windows at once: they are many, and most are not shown. */
static bool any_over(struct x11_desktop *desktop, const uint32_t *windows, size_t count, int x,
                     int y, int width, int height)
{
    struct question *questions = mem_alloc((count + 1) * sizeof *questions);
    bool over = false;

    for (size_t i = 0; i < count; i++)
        questions[i] = (struct question){ xcb_get_window_attributes(desktop->xcb, windows[i]),
                                          xcb_get_geometry(desktop->xcb, windows[i]) };
    for (size_t i = 0; i < count; i++)
        over = lies_over(desktop, questions[i], x, y, width, height) || over;
    free(questions);
    return over;
}

enum cover cover_of(struct x11_desktop *desktop, Window outer, int x, int y, int width, int height)
{
    xcb_get_selection_owner_cookie_t compositor = ask_compositor(desktop);
    xcb_query_tree_cookie_t tree = stack_ask(desktop);
    bool composited = take_compositor(desktop, compositor), over;
    struct stack stack;
    int place;

    stack_answer(desktop, tree, &stack);
    place = stack_place(&stack, outer);
    over = x < 0 || y < 0 || x + width > DisplayWidth(desktop->display, desktop->screen) ||
           y + height > DisplayHeight(desktop->display, desktop->screen) ||
           (!composited && place >= 0 &&
            any_over(desktop, stack.ids + place + 1, stack.count - (size_t)place - 1, x, y, width,
                     height));
    stack_free(&stack);
    if (composited || place < 0)
        return COVER_APART;
    return over ? COVER_SOME : COVER_NONE;
}
