/* A connection. It has no system resource, but one that hung is not used again. */
#ifndef PERIGEE_PLATFORM_MACOS_CONNECTION_H
#define PERIGEE_PLATFORM_MACOS_CONNECTION_H

#include "platform/macos/macos.h"

/* True if this process is in a login session; a daemon and ssh have no window server. */
bool macos_has_session(void);

/* Begins an operation. False: "display_lost", "timeout", "cancelled", "stopped". */
bool macos_begin(struct macos_desktop *desktop, struct deadline *deadline, struct error *err);

#endif
