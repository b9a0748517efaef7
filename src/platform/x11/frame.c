/* The frame that a window manager puts around a window, as the server has it. */
#include <stdlib.h>

#include "platform/x11/x11.h"

Window x11_outermost(struct x11_desktop *desktop, Window window)
{
    for (int depth = 0; depth < 16; depth++) {
        xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
            desktop->xcb, xcb_query_tree(desktop->xcb, (xcb_window_t)window), NULL);
        Window parent = tree ? tree->parent : None;

        free(tree);
        if (parent == None || parent == desktop->root)
            break;
        window = parent;
    }
    return window;
}

/* Openbox minimizes by folding the frame to its title bar and letting that glide to the taskbar
 * (150 ms), and restores the other way round; the window inside goes along. */
bool x11_is_folded(struct x11_desktop *desktop, const struct window_info *info)
{
    Window window = (Window)info->ref.id, outer = x11_outermost(desktop, window);
    xcb_get_geometry_reply_t *reply;
    bool folded;

    if (outer == window || (info->state & WINDOW_SHADED))
        return false;
    reply = xcb_get_geometry_reply(desktop->xcb,
                                   xcb_get_geometry(desktop->xcb, (xcb_window_t)outer), NULL);
    folded = reply && reply->height < info->content.height;
    free(reply);
    return folded;
}
