/* What is known of windows: everything is asked for all of them at once. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_WINDOW_FACTS_H
#define PERIGEE_PLATFORM_X11_WINDOWS_WINDOW_FACTS_H

#include <xcb/res.h>

#include "platform/x11/windows/stack.h"
#include "platform/x11/wire/x11.h"

/* What counts for every window. */
struct view {
    Window active;
    uint32_t workspace; /* the one shown */
    int width, height;  /* of the root window */
    struct stack stack;
};

/* What was asked about one window, and what came of it. */
struct inquiry {
    Window window;
    xcb_get_property_cookie_t name, old_name, class, pid, state, frame, shadow, desktop, type,
        transient_for, wm_state;
    xcb_get_geometry_cookie_t geometry, outer_geometry;
    xcb_translate_coordinates_cookie_t place;
    xcb_get_window_attributes_cookie_t attributes;
    xcb_query_tree_cookie_t tree;
    xcb_res_query_client_ids_cookie_t owner;
    bool there;     /* false: it is gone; info is to be freed all the same */
    bool marked;    /* by WM_STATE: a window manager has, or had, to do with it */
    bool unmanaged; /* nor shall any */
    bool unseen;    /* it only takes input */
    bool framed;    /* it says how wide its frame is */
    bool mapped;
    int border;           /* that the server draws around it */
    Window outer, parent; /* the outermost window around it, and that one's parent */
    struct window_info info;
};

void window_inquire(struct x11_desktop *desktop, Window window, struct inquiry *in);
/* Takes the answers of all; the caller takes or frees each info. */
void window_conclude(struct x11_desktop *desktop, const struct view *view, struct inquiry *in,
                     size_t count);

#endif
