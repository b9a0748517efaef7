/* Applications that run without a window: processes of the user, on this display, that are the
 * program of a desktop entry. */
#ifndef PERIGEE_PLATFORM_FREEDESKTOP_RUNNING_H
#define PERIGEE_PLATFORM_FREEDESKTOP_RUNNING_H

#include "platform/freedesktop/entries.h"

/* Appends those whose entry `list` does not have: one of each entry, the process that is oldest by
 * number, with no windows. `display` is DISPLAY as such processes have it. */
void running_add(struct entries *entries, const char *display, struct app_list *list);

#endif
