/* What lies over a window. */
#ifndef PERIGEE_PLATFORM_WINDOW_OVER_H
#define PERIGEE_PLATFORM_WINDOW_OVER_H

#include "platform/platform.h"

/* What a click at a point reaches in place of this window. Where the backend cannot ask, it is the
 * frontmost window whose frame holds the point; the caller ends out->info. */
bool window_over(const struct platform_ops *ops, struct desktop *desktop, struct deadline *deadline,
                 const struct window_ref *ref, struct point at, struct window_over *out,
                 struct error *err);

#endif
