#ifndef PERIGEE_PLATFORM_ATSPI_WALK_MENU_H
#define PERIGEE_PLATFORM_ATSPI_WALK_MENU_H

#include "platform/atspi/walk/walk.h"

/* The number of children, from the first on, that may lack something. In a menu that was closed a
 * few of them show whether it was opened: an open menu shows all entries that are not hidden
 * themselves. (LibreOffice has two menu bars, one of GTK's, with most of its hidden elements.) */
int menu_count_asked(const struct walk *walk, const struct node *node);

#endif
