/* Windows: facts about them, and acting on them. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_WINDOWS_H
#define PERIGEE_PLATFORM_X11_WINDOWS_WINDOWS_H

#include "platform/x11/wire/x11.h"

/* Fills in all but the window's place in the list, which needs the list. */
bool x11_window_info(struct x11_desktop *desktop, const struct window_ref *ref,
                     struct window_info *out, struct error *err);
bool x11_window_list(struct x11_desktop *desktop, const struct window_query *query,
                     struct window_list *out, struct error *err);
bool x11_window_act(struct x11_desktop *desktop, struct deadline *deadline,
                    const struct window_ref *ref, const struct window_change *change,
                    struct window_outcome *out, struct error *err);

/* The window that the server would give a click at this point, if it is not this one. */
bool x11_window_over(struct x11_desktop *desktop, const struct window_ref *ref, struct point at,
                     struct window_over *out, struct error *err);

/* The windows that name a D-Bus connection, packed. */
bool x11_window_exports(struct x11_desktop *desktop, struct buf *out, struct error *err);

/* True if the frame is smaller than its window, as in an animation: places say nothing then. */
bool x11_is_folded(struct x11_desktop *desktop, const struct window_info *info);

#endif
