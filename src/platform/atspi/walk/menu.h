#ifndef PERIGEE_PLATFORM_ATSPI_WALK_MENU_H
#define PERIGEE_PLATFORM_ATSPI_WALK_MENU_H

#include "platform/atspi/walk/walk.h"

/* Of how many of its children, from the first on, something may be lacking. Of a menu that was
 * closed a few tell whether it was opened: all of an open one is shown that is not hidden for
 * itself. (LibreOffice has two bars of menus, one of GTK's, with most of its hidden elements.) */
int menu_count_asked(const struct walk *walk, const struct node *node);

#endif
