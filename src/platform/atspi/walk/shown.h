/* The shown elements of an application that does not report them, as those of GTK 4, which report
 * all elements as visible that are not switched off. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_SHOWN_H
#define PERIGEE_PLATFORM_ATSPI_WALK_SHOWN_H

#include "platform/atspi/bus/details.h"

/* True if it is visible by itself, and has a size. */
bool shown_alone(const struct element_info *info, bool visible);

/* Sets the state of each element, for which it needs their bounds: an element is shown if it and
 * all around it are visible, it has a size and is not scrolled away; or if it holds a shown one. */
void shown_decide(struct element_tree *tree, const struct detailed *details);

/* Takes out elements that are not shown, except windows. */
void shown_keep(struct element_tree *tree);

#endif
