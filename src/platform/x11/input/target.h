/* The window that text is typed into: whether it has the keyboard until the last key. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_TARGET_H
#define PERIGEE_PLATFORM_X11_INPUT_TARGET_H

#include "platform/x11/wire/x11.h"

struct target {
    Window window; /* None: keys go by the pointer, and the focus is not checked */
    Window focus;  /* the server's focus, when `window` was last found to have the keyboard */
    bool doubtful; /* no window had the keyboard for a while: keys may be lost */
};

/* Checks the target in one round trip behind the keys sent so far, as a synchronization. False:
 * another window has the keyboard ("focus_lost"), none has it, or the input has to end. */
bool target_look(struct x11_desktop *desktop, struct deadline *deadline, struct target *target,
                 struct error *err);

/* True if the server's focus is where target_look() found it. */
bool target_is_same(struct x11_desktop *desktop, const struct target *target);

/* True if another application's window has the keyboard now, and would answer in the target's
 * place. */
bool target_is_replaced(struct x11_desktop *desktop, const struct target *target, Window receiver);

#endif
