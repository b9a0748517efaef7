/* The jail of a guest: nothing that the guest does, even with its own VM broken, reaches a file, a
 * socket or a process of the user.
 *
 * On Linux it has layers: namespaces of its own with an empty root, Landlock without a rule,
 * limits, and a short list of system calls. The list is the wall; the others are behind it, and a
 * system may lack them. Without the list, no guest runs. */
#ifndef PERIGEE_GUEST_JAIL_JAIL_H
#define PERIGEE_GUEST_JAIL_JAIL_H

#include <stdbool.h>

enum jail_layer {
    JAIL_CALLS = 1,      /* the list of system calls (seccomp), or Seatbelt's profile */
    JAIL_LIMITS = 2,     /* limits of memory, files and processes */
    JAIL_LANDLOCK = 4,   /* no file and no connection */
    JAIL_NAMESPACES = 8, /* an empty root, no network, no other process, no capability */
    JAIL_OPEN = 16,      /* none: a build with sanitizers, which cannot run in a jail */
};

/* Enters the jail in the fork server, before it does anything else. May return in another process,
 * which is pid 1 of its namespace; the calling process then waits for that one and ends as it
 * does. */
void jail_enter(void);

/* Closes the jail in the fork server, once all files are open that a guest needs. Returns the
 * layers (enum jail_layer) that a process got which tried them as a guest with this socket
 * would. */
unsigned jail_close(int socket);

/* Locks the jail in a guest, before it has its job: from now on it can read and write `socket`, and
 * compute. False: the list of system calls was refused, and the guest has to end. */
bool jail_lock(int socket);

/* True if there is a list of system calls for this processor, which the kernel may yet refuse. */
bool jail_has_list(void);

/* True if foreign code may run behind these layers. */
bool jail_is_enough(unsigned layers);

#endif
