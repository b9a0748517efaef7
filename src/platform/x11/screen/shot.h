/* One look at pixels: of the root window, or of a window's composite pixmap. */
#ifndef PERIGEE_PLATFORM_X11_SCREEN_SHOT_H
#define PERIGEE_PLATFORM_X11_SCREEN_SHOT_H

#include "platform/x11/wire/x11.h"

/* An area of a drawable to take pixels of, and its place. */
struct shot {
    Drawable drawable;
    Visual *visual;
    int depth;
    int x, y, width, height; /* in the drawable */
    int root_x, root_y;      /* the area's corner on the root window */
    bool lend;               /* see struct capture */
};

/* Takes the pixels. "capture_failed" when the server refuses, "too_large". */
bool shot_take(struct x11_desktop *desktop, const struct shot *shot, struct picture *out,
               struct error *err);

/* Frees the memory that is shared with the server for pictures. */
void x11_capture_free(struct x11_desktop *desktop);

#endif
