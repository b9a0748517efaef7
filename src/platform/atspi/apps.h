/* The applications that are on the accessibility bus. */
#ifndef PERIGEE_PLATFORM_ATSPI_APPS_H
#define PERIGEE_PLATFORM_ATSPI_APPS_H

#include "platform/atspi/talk.h"

/* The unique name of the connection of this process; free() it. NULL: "no_tree" (it is not there,
 * with what to do about it), else as talk_ask(). */
char *apps_find(struct atspi *atspi, struct deadline *deadline, int pid, struct error *err);

/* What its toolkit is: "GTK", and the first number of its version; empty and 0 where it does not
 * tell. */
bool apps_toolkit(struct atspi *atspi, struct deadline *deadline, const char *bus, char *name,
                  size_t size, int *version, struct error *err);

#endif
