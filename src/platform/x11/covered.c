/* What of a window the server has no picture of yet.
 *
 * Where a window is covered, or beyond the screen's edge, the server keeps nothing of it until it
 * is redirected: then the window has the pixels of what lay over it, and its application is
 * asked to paint them anew (Composite protocol, "RedirectWindow"). Under a compositing window
 * manager all windows are redirected already. */
#include <X11/Xlib.h>
#include <stdio.h>

#include "platform/x11/x11.h"

static bool composited(struct x11_desktop *desktop)
{
    char name[32];

    snprintf(name, sizeof name, "_NET_WM_CM_S%d", desktop->screen);
    return XGetSelectionOwner(desktop->display, XInternAtom(desktop->display, name, False)) != None;
}

static bool lies_over(struct x11_desktop *desktop, Window window, int x, int y, int width,
                      int height)
{
    XWindowAttributes a;

    x11_trap(desktop);
    if (!XGetWindowAttributes(desktop->display, window, &a) || x11_trapped(desktop))
        return false;
    return a.map_state == IsViewable && a.class == InputOutput && a.x < x + width &&
           x < a.x + a.width && a.y < y + height && y < a.y + a.height;
}

bool x11_is_covered(struct x11_desktop *desktop, Window outer, int x, int y, int width, int height)
{
    Window root, parent, *children = NULL;
    unsigned count = 0, at = 0;
    bool found = false;

    if (composited(desktop))
        return false;
    if (x < 0 || y < 0 || x + width > DisplayWidth(desktop->display, desktop->screen) ||
        y + height > DisplayHeight(desktop->display, desktop->screen))
        return true;
    if (!XQueryTree(desktop->display, desktop->root, &root, &parent, &children, &count))
        return false;
    while (at < count && children[at] != outer) /* the lowest comes first */
        at++;
    for (at++; at < count && !found; at++)
        found = lies_over(desktop, children[at], x, y, width, height);
    if (children)
        XFree(children);
    return found;
}

/* FNV-1a over words of four bytes; the fourth byte of a pixel counts only with alpha. */
uint64_t x11_image_sum(const struct image *image)
{
    uint64_t sum = 14695981039346656037u;
    uint8_t none[4] = { 255, 255, 255, image->alpha ? 255 : 0 };
    uint32_t mask;

    memcpy(&mask, none, sizeof mask);
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);

        for (int x = 0; x < image->width; x++, row += 4) {
            uint32_t pixel;

            memcpy(&pixel, row, sizeof pixel);
            sum = (sum ^ (pixel & mask)) * 1099511628211u;
        }
    }
    return sum;
}
