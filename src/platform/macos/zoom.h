/* Maximized windows, which a Mac has no state for: the zoom button does what each application
 * likes. Here a window is maximized when it fills its display's work area, and what it was before
 * is remembered for those that were maximized by us. Thread-safe. */
#ifndef PERIGEE_PLATFORM_MACOS_ZOOM_H
#define PERIGEE_PLATFORM_MACOS_ZOOM_H

#include "platform/macos/system/cf.h"

/* The work area of the display that shows most of the frame. */
CGRect zoom_area(const struct rect *frame);
bool zoom_fills(const struct rect *frame);

/* The last ones only are kept. */
void zoom_remember(uint64_t window, const struct rect *normal);
/* False: not maximized by us, or forgotten. Forgets it. */
bool zoom_recall(uint64_t window, struct rect *normal);

#endif
