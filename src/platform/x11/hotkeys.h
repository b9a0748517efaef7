/* Keys that the server gives to nobody but us. */
#ifndef PERIGEE_PLATFORM_X11_HOTKEYS_H
#define PERIGEE_PLATFORM_X11_HOTKEYS_H

#include "platform/watch.h"
#include "platform/x11/wire/x11.h"

struct hotkeys;

struct hotkeys *hotkeys_new(void);
void hotkeys_free(struct x11_desktop *desktop, struct hotkeys *hotkeys); /* NULL is fine */

/* Binds these and no others; tells those that cannot be. */
void hotkeys_set(struct x11_desktop *desktop, struct hotkeys *hotkeys,
                 const struct watch_wanted *wanted, const struct watch_told *told);

/* Is it one of them? *number says which. */
bool hotkeys_take(struct x11_desktop *desktop, struct hotkeys *hotkeys, XEvent *event,
                  enum watch_what *what, unsigned *number);

#endif
