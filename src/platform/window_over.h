/* Finds the window over another one. */
#ifndef PERIGEE_PLATFORM_WINDOW_OVER_H
#define PERIGEE_PLATFORM_WINDOW_OVER_H

#include "platform/platform.h"

/* Finds the window that a click at a point reaches in place of this one. If the backend cannot ask,
 * it is the frontmost window whose frame contains the point; the caller ends out->info. */
bool window_over(const struct platform_ops *ops, struct desktop *desktop, struct deadline *deadline,
                 const struct window_ref *ref, struct point at, struct window_over *out,
                 struct error *err);

#endif
