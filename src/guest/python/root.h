/* A root directory that holds only what an interpreter reads. */
#ifndef PERIGEE_GUEST_PYTHON_ROOT_H
#define PERIGEE_GUEST_PYTHON_ROOT_H

#include <stdbool.h>
#include <stddef.h>

/* Leaves the file system behind for one with these paths, read-only, at their places; symbolic
 * links on the way to them are directories there. Besides there is /box, a small tmpfs, and /tmp, a
 * link to it. Paths that are not there are left out. For a process in namespaces of its own. False:
 * the old file system is still there. */
bool root_enter(char *const *paths, size_t count);

#endif
