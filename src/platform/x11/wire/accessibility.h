/* The connection to the accessibility bus of an X display. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_ACCESSIBILITY_H
#define PERIGEE_PLATFORM_X11_WIRE_ACCESSIBILITY_H

#include "platform/atspi.h"
#include "platform/x11/wire/x11.h"

/* Opens the module, on the main thread. False: "module_missing". */
bool accessibility_ready(struct error *err);

/* The module's operations; NULL: nobody has asked for elements yet. */
const struct atspi_ops *accessibility_ops(void);

/* Opens desktop->atspi, unless it is open. False: there are no operations, or "no_accessibility".
 */
bool accessibility_begin(struct x11_desktop *desktop, struct error *err);

/* Closes it, if it is open. */
void accessibility_end(struct x11_desktop *desktop);

#endif
