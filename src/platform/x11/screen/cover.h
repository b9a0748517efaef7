/* Where the pixels of a window are: the server has one copy of what is on the screen. */
#ifndef PERIGEE_PLATFORM_X11_SCREEN_COVER_H
#define PERIGEE_PLATFORM_X11_SCREEN_COVER_H

#include "platform/x11/wire/x11.h"

enum cover {
    COVER_APART, /* in a pixmap of its own: a compositing manager has it redirected */
    COVER_NONE,  /* on the screen, all of it */
    COVER_SOME,  /* nowhere, at least a part of it: something lies over it, or it is off the edge */
};

/* The cover of an area, in the root window's pixels, of the window `outer`, which is a child of the
 * root window. */
enum cover cover_of(struct x11_desktop *desktop, Window outer, int x, int y, int width, int height);

#endif
