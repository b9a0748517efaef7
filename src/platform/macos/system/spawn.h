/* Starts programs that inherit nothing of ours. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_SPAWN_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts a program with this as its stdin (-1: /dev/null), no other descriptor, its output thrown
 * away, and signals as a program expects them. */
bool spawn_alone(char *const argv[], int input, pid_t *pid);
/* Does the same, with `output` as its stdout (-1: /dev/null). */
bool spawn_piped(char *const argv[], int input, int output, pid_t *pid);

#endif
