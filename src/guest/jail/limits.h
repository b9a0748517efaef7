/* Limits of a guest (getrlimit(2)). */
#ifndef PERIGEE_GUEST_JAIL_LIMITS_H
#define PERIGEE_GUEST_JAIL_LIMITS_H

#include <stdbool.h>

/* No file, process, signal queue or locked memory, and so much address space. What a script may use
 * is counted by its VM before: there a lack of memory is an error that it can catch. False: one was
 * refused. */
bool limits_set(void);

#endif
