/* Elements on X11: waking accessibility. */
#ifndef PERIGEE_PLATFORM_X11_ELEMENTS_H
#define PERIGEE_PLATFORM_X11_ELEMENTS_H

#include "platform/x11/wire/x11.h"

/* Switches accessibility on, if there is any, before an application is started. After a failure
 * that took long it is not tried again for a minute. */
void x11_elements_wake(struct x11_desktop *desktop, struct deadline *deadline);

#endif
