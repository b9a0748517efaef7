/* A root directory that holds only what an interpreter reads. */
#ifndef PERIGEE_GUEST_PYTHON_ROOT_H
#define PERIGEE_GUEST_PYTHON_ROOT_H

#include <stdbool.h>

/* Leaves the file system behind for one with these paths (each on a line), read-only, at their
 * places; symbolic links on the way to them are directories there. None may lie below a later one.
 * Besides there is /box, a small tmpfs, and /tmp, a link to it. Paths that are not there are left
 * out. For a process in namespaces of its own. False:
 * the old file system is still there. */
bool root_enter(const char *paths);

#endif
