/* Applications that run without a window: processes of the user, on this display, that run the
 * program of a desktop entry. */
#ifndef PERIGEE_PLATFORM_FREEDESKTOP_RUNNING_H
#define PERIGEE_PLATFORM_FREEDESKTOP_RUNNING_H

#include "platform/freedesktop/entries.h"

/* Appends applications whose entry `list` does not have: one for each entry, its process with the
 * lowest number, with no windows. `display` is the DISPLAY of such processes. */
void running_add(struct entries *entries, const char *display, struct app_list *list);

#endif
