/* Limits of a guest (getrlimit(2)). */
#ifndef PERIGEE_GUEST_JAIL_LIMITS_H
#define PERIGEE_GUEST_JAIL_LIMITS_H

#include <stdbool.h>

/* Allows no file, process, signal queue or locked memory, and little address space. The VM counts a
 * script's memory before: there a lack of memory is an error that the script can catch. False: a
 * limit was refused. */
bool limits_set(void);

#endif
