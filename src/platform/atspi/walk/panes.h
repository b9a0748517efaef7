/* LibreOffice draws into a part of a GTK window, its root pane, and reports all places in there as
 * if no menu bar lay above that part. The panel of GTK that holds the pane reports its place right,
 * so the elements in the pane move as the pane has to. Widgets of GTK within the pane (the fields
 * of its toolbars) report their places right themselves. Seen with LibreOffice 7.4 (gtk3).
 *
 * Chromium reports the places of a page and all elements in it in pixels, and all others in units
 * of its own, of which a pixel is a part if the display is scaled. A page is such a pane, too: its
 * elements shrink as it must to fit the element that holds it. Seen with Chromium 156. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_PANES_H
#define PERIGEE_PLATFORM_ATSPI_WALK_PANES_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* True if some elements of the list, parents first, are a root pane or in one: their bounds are
 * needed. */
bool panes_are_in(const struct element_tree *tree);

/* Moves the elements in panes, and notes each one's pane for later. False: as talk_ask(). */
bool panes_place(struct atspi *atspi, struct deadline *deadline, struct element_tree *tree,
                 struct error *err);

/* Moves elements that were in an earlier tree, each by its noted pane. */
bool panes_place_again(struct atspi *atspi, struct deadline *deadline, struct element_tree *tree,
                       struct error *err);

#endif
