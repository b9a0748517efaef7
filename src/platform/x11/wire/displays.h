/* Displays: the list, and the place of our points on the root window. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_DISPLAYS_H
#define PERIGEE_PLATFORM_X11_WIRE_DISPLAYS_H

#include "platform/x11/wire/x11.h"

void x11_find_origin(struct x11_desktop *desktop);
struct point x11_to_root(struct x11_desktop *desktop, struct point at);
struct point x11_from_root(struct x11_desktop *desktop, double x, double y);

/* The pointer's place. */
struct point x11_pointer_place(struct x11_desktop *desktop);

/* Implements display_ops.list(). */
bool x11_display_list(struct x11_desktop *desktop, struct deadline *deadline,
                      struct display_list *out, struct error *err);

#endif
