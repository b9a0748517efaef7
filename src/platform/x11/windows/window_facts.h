/* The facts about windows, asked for all windows at once. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_WINDOW_FACTS_H
#define PERIGEE_PLATFORM_X11_WINDOWS_WINDOW_FACTS_H

#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/owner.h"
#include "platform/x11/wire/x11.h"

/* The facts that are the same for every window. */
struct view {
    Window active;
    uint32_t workspace; /* the workspace that is shown */
    int width, height;  /* the root window's size */
    struct stack stack;
};

/* The questions about one window, and the facts from the answers. */
struct inquiry {
    Window window;
    xcb_get_property_cookie_t name, old_name, class, state, frame, shadow, desktop, type,
        transient_for, wm_state;
    xcb_get_geometry_cookie_t geometry, outer_geometry;
    xcb_translate_coordinates_cookie_t place;
    xcb_get_window_attributes_cookie_t attributes;
    xcb_query_tree_cookie_t tree;
    struct owner_question owner;
    bool there;     /* false: the window is gone; info is to be freed all the same */
    bool iconic;    /* by WM_STATE: the manager does not show the window */
    bool marked;    /* by WM_STATE: a window manager manages the window, or did */
    bool unmanaged; /* unmarked, and it asks not to be managed */
    bool unseen;    /* the window only takes input */
    bool framed;    /* the manager says how wide the frame is */
    bool mapped;
    int border;           /* the one that the server draws around it */
    Window outer, parent; /* the outermost window around it, and that one's parent */
    struct window_info info;
};

/* The margins that a client claims of its window (left, right, top, bottom), in pixels; zeros and
 * false for what no window can have. */
bool window_answer_margins(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                           uint32_t out[4]);

void window_inquire(struct x11_desktop *desktop, Window window, struct inquiry *in);
/* Takes the answers about all windows; the caller takes or frees each info. */
void window_conclude(struct x11_desktop *desktop, const struct view *view, struct inquiry *in,
                     size_t count);

#endif
