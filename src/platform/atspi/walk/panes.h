/* LibreOffice draws into a part of a GTK window, its root pane, and tells where everything in there
 * is as if no menu bar lay above that part. The panel of GTK that holds the pane tells it right, so
 * what is in the pane moves as the pane has to. Widgets of GTK that lie within (the fields of its
 * toolbars) tell it right themselves. Seen with LibreOffice 7.4 (gtk3).
 *
 * Chromium tells where a page and all in it are in pixels, and everything else in units of its own,
 * of which a pixel is a part where it scales. A page is such a pane, too: what is in it shrinks as
 * it must to fit what holds it. Seen with Chromium 156. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_PANES_H
#define PERIGEE_PLATFORM_ATSPI_WALK_PANES_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* Whether some of the list, parents first, are a root pane or in one: their bounds are needed. */
bool panes_are_in(const struct element_tree *tree);

/* Moves what is in panes, and notes for later which each element is in. False: as
 * talk_ask(). */
bool panes_place(struct atspi *atspi, struct deadline *deadline, struct element_tree *tree,
                 struct error *err);

/* Moves elements that a tree had before, each by what was noted of it. */
bool panes_place_again(struct atspi *atspi, struct deadline *deadline, struct element_tree *tree,
                       struct error *err);

#endif
