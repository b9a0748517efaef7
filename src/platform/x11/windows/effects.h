/* What input does to the windows: which come and go, whose titles change, where the focus goes. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_EFFECTS_H
#define PERIGEE_PLATFORM_X11_WINDOWS_EFFECTS_H

#include "platform/x11/wire/x11.h"

struct x11_effects {
    struct window_list known; /* the windows when they were looked at last */
    bool looked;              /* they were */
    bool current;             /* nothing has changed since */
    bool coming;              /* a window was made since, which may not be shown yet */
    Window popup;             /* the last that was shown since effects_begin(), and may be gone */
    uint64_t changed;         /* deadline_now() of the last change */
};

/* Notes it if it tells that something of the windows changes. */
void effects_event(struct x11_desktop *desktop, struct x11_effects *effects, const XEvent *event);

/* Before input: looks at the windows, unless they are as they were known, and tells what is
 * different since they were. */
void effects_begin(struct x11_desktop *desktop, struct x11_effects *effects,
                   struct input_effects *late);

/* After it: if something has begun to change waits for its end, at most INPUT_EFFECT_MS, and tells
 * what is different. Returns at once otherwise. False when the input has to end. */
bool effects_end(struct x11_desktop *desktop, struct deadline *deadline,
                 struct x11_effects *effects, struct input_outcome *out, struct error *err);

/* The window as it was looked at last; NULL: it was not there. */
const struct window_info *effects_known(const struct x11_effects *effects, Window window);

void effects_free(struct x11_effects *effects);

#endif
