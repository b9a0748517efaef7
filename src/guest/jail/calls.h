/* The system calls that a guest has. */
#ifndef PERIGEE_GUEST_JAIL_CALLS_H
#define PERIGEE_GUEST_JAIL_CALLS_H

#include <stdbool.h>

/* From now on another call than these is not made, and ends the process by SIGSYS: memory and time
 * of its own, waiting, and reading and writing `socket`. False: the list was refused. */
bool calls_list(int socket);

/* Whether a list was made for this system and processor. */
bool calls_are_known(void);

#endif
