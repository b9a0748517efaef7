/* When a process began: with its id, a name that is never given again. */
#ifndef PERIGEE_PROCESS_BIRTH_H
#define PERIGEE_PROCESS_BIRTH_H

#include "base/util.h"

/* Clock ticks since boot, on a Mac microseconds since 1970; only equality means something. 0: no
 * such process, or it ended and nobody has asked how. */
uint64_t process_birth(int pid);

/* One word for this run of the system, another after the next boot; "-" where it cannot be known.
 * `out` has BOOT_NAME bytes. */
enum { BOOT_NAME = 64 };
void system_boot(char out[BOOT_NAME]);

#endif
