/* Maximized windows, which a Mac has no state for: the zoom button does what each application
 * likes. Here a window is maximized when it fills its display's work area, and the frame from
 * before is remembered for windows that we maximized. Thread-safe. */
#ifndef PERIGEE_PLATFORM_MACOS_ZOOM_H
#define PERIGEE_PLATFORM_MACOS_ZOOM_H

#include "platform/macos/system/cf.h"

/* The work area of the display that shows most of the frame. */
CGRect zoom_area(const struct rect *frame);
bool zoom_fills(const struct rect *frame);

/* Remembers a frame. Only the last ones are kept. */
void zoom_remember(uint64_t window, const struct rect *normal);
/* Returns the remembered frame, and forgets it. False: we did not maximize it, or it was
 * forgotten. */
bool zoom_recall(uint64_t window, struct rect *normal);

#endif
