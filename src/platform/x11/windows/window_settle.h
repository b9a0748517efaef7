/* The inside of acting on a window: declarations that its two files share. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_WINDOW_SETTLE_H
#define PERIGEE_PLATFORM_X11_WINDOWS_WINDOW_SETTLE_H

#include "platform/x11/windows/windows.h"

struct act {
    struct x11_desktop *desktop;
    struct deadline *deadline;
    const struct window_change *change;
    struct window_info before, now;
    bool gone;
    struct rect want; /* the frame that is asked for, if any */
    bool owed;        /* the manager has not given the size for the shadow that there is now */
    bool deaf;        /* the window cannot be asked to close */
    bool silent;      /* the application has not confirmed its size */
    bool busy;        /* ... because it has work to do, and too little of the processor */
};

/* False when the connection broke; a window that is gone is an answer. */
bool x11_act_look(struct act *act, struct error *err);
/* Compares the look with the one before it: is a size owed? */
void x11_act_see_shadow(struct act *act, const struct window_info *last);
/* Waits until the window is still and its application has had its say, at most until `until`. */
bool x11_act_settle(struct act *act, uint64_t until, struct error *err);

#endif
