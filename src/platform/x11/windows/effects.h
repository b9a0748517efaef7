/* The effects of input on the windows: windows that open and close, titles that change, the focus
 * that moves. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_EFFECTS_H
#define PERIGEE_PLATFORM_X11_WINDOWS_EFFECTS_H

#include "platform/x11/wire/x11.h"

struct x11_effects {
    struct window_list known; /* the windows when they were listed last */
    bool looked;              /* they have been listed */
    bool current;             /* nothing has changed since */
    bool coming;              /* a window was made since, and may not be shown yet */
    Window popup;     /* the last one that was shown since effects_begin(); it may be gone */
    uint64_t changed; /* deadline_now() of the last change */
};

/* Takes note of an event that says that the windows change. */
void effects_event(struct x11_desktop *desktop, struct x11_effects *effects, const XEvent *event);

/* Before input: lists the windows, unless no change was noticed since they were listed last, and
 * puts the changes since then into *late. */
void effects_begin(struct x11_desktop *desktop, struct x11_effects *effects,
                   struct input_effects *late);

/* After input: if a change has begun, waits for its end, at most INPUT_EFFECT_MS, and puts the
 * changes into *out. Returns at once otherwise. False when the input has to end. */
bool effects_end(struct x11_desktop *desktop, struct deadline *deadline,
                 struct x11_effects *effects, struct input_outcome *out, struct error *err);

/* The window as it was listed last; NULL: it was not there. */
const struct window_info *effects_known(const struct x11_effects *effects, Window window);

void effects_free(struct x11_effects *effects);

#endif
