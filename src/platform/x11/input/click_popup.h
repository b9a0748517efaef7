/* The popup that a click opens, and that the text sent at once behind it may go to. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_CLICK_POPUP_H
#define PERIGEE_PLATFORM_X11_INPUT_CLICK_POPUP_H

#include "platform/x11/wire/x11.h"

enum { CLICK_POPUP_MS = 300 }; /* after a click. Firefox asks another process of its own first */

/* Looks for one that has come since the last click, before text that was confirmed is called so:
 * then out->open names it. Where the application shows it by way of another process it may come
 * later than the answer to the text, and is waited for. False when the input has to end. */
bool click_popup_look(struct x11_desktop *desktop, struct deadline *deadline,
                      struct input_outcome *out, struct error *err);

#endif
