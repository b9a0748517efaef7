/* The popup that a click opens. Text that is sent right after the click may go to it. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_CLICK_POPUP_H
#define PERIGEE_PLATFORM_X11_INPUT_CLICK_POPUP_H

#include "platform/x11/wire/x11.h"

enum { CLICK_POPUP_MS = 300 }; /* after a click: Firefox asks another process of its own first */

/* Looks for a popup that has come since the last click, before text is reported as confirmed, and
 * names it in out->open. An application that shows it by way of another process may do so after it
 * answered to the text, so the popup is waited for. False when the input has to end. */
bool click_popup_look(struct x11_desktop *desktop, struct deadline *deadline,
                      struct input_outcome *out, struct error *err);

#endif
