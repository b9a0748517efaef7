/* The window that input was judged for: it gets the input, or nobody does.
 *
 * The policy decides by the window that has the keyboard, or is under the pointer, at that moment.
 * Another call, a program or the user may change that before the first key. So no other client is
 * served between a last look and the key. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_JUDGED_H
#define PERIGEE_PLATFORM_X11_INPUT_JUDGED_H

#include "platform/x11/wire/x11.h"

/* Holds the server if the window gets the next key: it has the focus, and no other application
 * holds the keyboard. Without a judged window (0) it holds it in any case. False: "moved", and the
 * server is not held. */
bool judged_hold_keys(struct x11_desktop *desktop, uint64_t window, struct error *err);

/* The same for a button, at the place to which the pointer was sent or is. */
bool judged_hold_button(struct x11_desktop *desktop, uint64_t window, struct error *err);

/* Lets the server go on with other clients. What was sent has been done when it does. */
void judged_let_go(struct x11_desktop *desktop);

/* True if a window is in the judged one, or none was judged. False: "moved". */
bool judged_has(struct x11_desktop *desktop, uint64_t window, Window at, struct error *err);

/* Input of which a part was sent must not begin again: "moved" becomes "focus_lost". False. */
bool judged_sent_in_part(struct error *err);

#endif
