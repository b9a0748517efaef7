/* The pointer, drawn into a picture. */
#include <X11/Xlib.h> /* the extension's header needs it before it */

#include <X11/extensions/Xfixes.h>

#include "platform/x11/x11.h"

void x11_draw_cursor(struct x11_desktop *desktop, struct picture *out)
{
    XFixesCursorImage *cursor;
    struct image image;
    struct point at;

    if (desktop->fixes_event < 0 || !(cursor = XFixesGetCursorImage(desktop->display)))
        return;
    at = x11_from_root(desktop, cursor->x - cursor->xhot, cursor->y - cursor->yhot);
    if (image_new(&image, cursor->width, cursor->height, true, NULL)) {
        for (size_t i = 0; i < (size_t)cursor->width * cursor->height; i++) {
            uint32_t pixel = (uint32_t)cursor->pixels[i], a = pixel >> 24;
            uint8_t *to = image.pixels + i * 4;

            for (int c = 0; c < 3; c++) { /* the server's are premultiplied */
                uint32_t value = pixel >> (8 * c) & 255;

                to[c] = (uint8_t)(a ? (value * 255 / a > 255 ? 255 : value * 255 / a) : 0);
            }
            to[3] = (uint8_t)a;
        }
        image_blend(&out->image, &image, (int)(at.x - out->origin.x), (int)(at.y - out->origin.y));
        image_free(&image);
    }
    XFree(cursor);
}
