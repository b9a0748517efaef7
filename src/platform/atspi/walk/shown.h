/* What is shown of an application that does not say it, as those of GTK 4, which say of all that is
 * not switched off that it is visible. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_SHOWN_H
#define PERIGEE_PLATFORM_ATSPI_WALK_SHOWN_H

#include "platform/atspi/bus/details.h"

/* By itself: it is visible, and has a size. */
bool shown_alone(const struct element_info *info, bool visible);

/* Sets the state of each: it is visible, in what is, has a size and is not scrolled away; or holds
 * what is shown. With their bounds. */
void shown_decide(struct element_tree *tree, const struct detailed *details);

/* Takes out what is not shown, but windows. */
void shown_keep(struct element_tree *tree);

#endif
