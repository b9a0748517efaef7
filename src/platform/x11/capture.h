/* The memory that is shared with the server for pictures. */
#ifndef PERIGEE_PLATFORM_X11_CAPTURE_H
#define PERIGEE_PLATFORM_X11_CAPTURE_H

#include "platform/x11/x11.h"

void x11_capture_free(struct x11_desktop *desktop);

#endif
