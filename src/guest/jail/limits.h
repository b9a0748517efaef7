/* Limits of a guest (getrlimit(2)). */
#ifndef PERIGEE_GUEST_JAIL_LIMITS_H
#define PERIGEE_GUEST_JAIL_LIMITS_H

#include <stdbool.h>

/* Allows no file, process, signal queue or locked memory, and little address space. The VM counts a
 * script's memory before: there a lack of memory is an error that the script can catch. False: a
 * limit was refused. */
bool limits_set(void);

/* The same for a Python guest: 64 descriptors, files of 64 MB, 1 GB of address space. */
bool limits_set_python(void);

/* Closes the files that the engine inherited itself, or opened without CLOEXEC. */
void limits_close_above(int fd);

#endif
