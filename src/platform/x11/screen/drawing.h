/* Waits until something is drawn: the DAMAGE extension's reports. */
#ifndef PERIGEE_PLATFORM_X11_SCREEN_DRAWING_H
#define PERIGEE_PLATFORM_X11_SCREEN_DRAWING_H

#include "platform/x11/wire/x11.h"

struct x11_drawing;

/* Implements capture_ops.await_drawing(). */
bool x11_await_drawing(struct desktop *handle, struct deadline *deadline,
                       const struct capture *what, uint64_t until, bool *drawn, struct error *err);

/* Accepts any event. */
void drawing_event(struct x11_drawing *drawing, const XEvent *event);

void drawing_free(struct x11_drawing *drawing); /* NULL is fine */

#endif
