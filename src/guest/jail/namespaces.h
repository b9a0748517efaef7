/* Namespaces of Linux: user_namespaces(7), pid_namespaces(7), pivot_root(2). */
#ifndef PERIGEE_GUEST_JAIL_NAMESPACES_H
#define PERIGEE_GUEST_JAIL_NAMESPACES_H

#include <stdbool.h>

/* Enters new ones of every kind; the process that returns is the first of its pid namespace. False:
 * the system does not let us, and the process is as it was, but may have a user namespace of its
 * own, in which its user has no name. `as_root`: its user is root there, which exec leaves the
 * capabilities. */
bool namespaces_enter(bool as_root);

/* Leaves the file system behind for an empty one, and gives up every capability. False: the old one
 * is still there. */
bool namespaces_empty_root(void);

/* Gives up all capabilities for good. */
void namespaces_drop_capabilities(void);

/* Gives up all but the one for mounts. */
void namespaces_keep_mounting(void);

#endif
