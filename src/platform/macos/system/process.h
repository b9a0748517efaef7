/* Processes, as the kernel knows them. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_PROCESS_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_PROCESS_H

#include "platform/deadline.h"

/* The time when the process started, in microseconds since 1970; 0: it does not run, or is not ours
 * to see. */
uint64_t process_started(int pid);

/* The executable's path, "" when unknown. The caller frees. */
char *process_path(int pid);

/* True if the process ends within `ms`. */
bool process_wait_end(struct deadline *deadline, int pid, uint64_t ms);

#endif
