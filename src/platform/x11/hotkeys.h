/* Hotkeys: keys that the server gives to us alone. */
#ifndef PERIGEE_PLATFORM_X11_HOTKEYS_H
#define PERIGEE_PLATFORM_X11_HOTKEYS_H

#include "platform/watch.h"
#include "platform/x11/wire/x11.h"

struct hotkeys;

struct hotkeys *hotkeys_new(void);
void hotkeys_free(struct x11_desktop *desktop, struct hotkeys *hotkeys); /* NULL is fine */

/* Binds these hotkeys and no others; reports those that cannot be bound. */
void hotkeys_set(struct x11_desktop *desktop, struct hotkeys *hotkeys,
                 const struct watch_wanted *wanted, const struct watch_told *told);

/* True if the event is a hotkey's; *number says which one's. */
bool hotkeys_take(struct x11_desktop *desktop, struct hotkeys *hotkeys, XEvent *event,
                  enum watch_what *what, unsigned *number);

#endif
