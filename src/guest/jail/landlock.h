/* Landlock of Linux (landlock(7)): no file, no connection, from now on and for all children. */
#ifndef PERIGEE_GUEST_JAIL_LANDLOCK_H
#define PERIGEE_GUEST_JAIL_LANDLOCK_H

#include <stdbool.h>

/* False: the kernel has no Landlock, or it is switched off. */
bool landlock_close(void);

/* The same, but files may be read below these paths, one on each line, and changed below `box` (""
 * if there is none). */
bool landlock_close_but(const char *readable, const char *box);

#endif
