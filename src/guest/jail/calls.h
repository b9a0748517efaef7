/* The system calls that a guest has. */
#ifndef PERIGEE_GUEST_JAIL_CALLS_H
#define PERIGEE_GUEST_JAIL_CALLS_H

#include <stdbool.h>

/* Forbids all system calls from now on, except those for memory and time of its own, waiting, and
 * reading and writing `socket`; another call ends the process by SIGSYS. False: the list was
 * refused. */
bool calls_list(int socket);

/* The files of a Python guest: none; those that Landlock leaves it; those of a root of its own. */
enum calls_files { CALLS_NO_FILES, CALLS_FILES, CALLS_OWN_ROOT };

/* The same for a Python guest, which its libraries ask for more: threads, signals to itself, pipes,
 * and files. A forbidden call fails with EPERM, or ends the process where no library would make it.
 * `seatbelt`: the profile that takes the list's place on macOS. */
bool calls_list_python(enum calls_files files, const char *seatbelt);

/* True if there is a list for this system and processor. */
bool calls_are_known(void);

#endif
