/* The place on the desktop of elements that were read over AT-SPI. */
#ifndef PERIGEE_PLATFORM_ATSPI_PLACE_H
#define PERIGEE_PLATFORM_ATSPI_PLACE_H

#include "platform/atspi.h"
#include "platform/platform.h"

/* Replaces raw bounds by those on the desktop, and top-level elements by the numbers of their
 * windows, which the display lists, of all kinds. Elements without a window have no bounds any
 * more; those of windows that are not open are not shown. */
void atspi_place(struct element_tree *tree, const struct atspi_frames *frames,
                 const struct window_list *windows);

#endif
