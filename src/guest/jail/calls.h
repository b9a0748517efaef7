/* The system calls that a guest has. */
#ifndef PERIGEE_GUEST_JAIL_CALLS_H
#define PERIGEE_GUEST_JAIL_CALLS_H

#include <stdbool.h>

/* Forbids all system calls from now on, except those for memory and time of its own, waiting, and
 * reading and writing `socket`; another call ends the process by SIGSYS. False: the list was
 * refused. */
bool calls_list(int socket);

/* True if there is a list for this system and processor. */
bool calls_are_known(void);

#endif
