/* What a guest is shut in by, so that nothing it does, also with its own VM broken, reaches a file,
 * a socket or a process of the user.
 *
 * On Linux it is layers: namespaces of its own with an empty root, Landlock without a rule, limits,
 * and a short list of system calls. The list is the wall; the others stand behind it, and a system
 * may lack them. Where the list cannot be had, no guest runs. */
#ifndef PERIGEE_GUEST_JAIL_JAIL_H
#define PERIGEE_GUEST_JAIL_JAIL_H

#include <stdbool.h>

enum jail_layer {
    JAIL_CALLS = 1,      /* the list of system calls (seccomp), or Seatbelt's profile */
    JAIL_LIMITS = 2,     /* of memory, files and processes */
    JAIL_LANDLOCK = 4,   /* no file and no connection */
    JAIL_NAMESPACES = 8, /* an empty root, no network, no other process, no capability */
    JAIL_OPEN = 16,      /* a build with sanitizers, which no jail lets live: there is none */
};

/* In the fork server, before it does anything else. May return in another process, which is pid 1
 * of its namespace; the one that was called then waits for it and ends as it does. */
void jail_enter(void);

/* In the fork server, once all is open that a guest needs from files. The layers that a process had
 * which tried them as a guest with this socket would: enum jail_layer. */
unsigned jail_close(int socket);

/* In a guest, before it has its job: from now on it can read and write `socket`, and compute.
 * False: the list of system calls was refused, and the guest has to end. */
bool jail_lock(int socket);

/* Whether there is a list of system calls for this processor, which the kernel may yet refuse. */
bool jail_has_list(void);

/* Whether foreign code may run behind these layers. */
bool jail_is_enough(unsigned layers);

#endif
