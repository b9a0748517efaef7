/* A process that waits for the end of this one, whichever way it ends, and then does one thing: no
 * handler runs on SIGKILL.
 *
 * It is forked from a process with threads, so what it does may only be what a signal handler may.
 * It keeps none of our files but those that it is given. */
#ifndef PERIGEE_PROCESS_GUARDIAN_H
#define PERIGEE_PROCESS_GUARDIAN_H

/* Starts one that calls `at_end`. `keep` is a descriptor that it needs for that, or -1. Returns a
 * descriptor: it waits for the end of that, which ends with this process or by close(); -1: it
 * could not be started. From any thread. */
int guardian_start(void (*at_end)(void), int keep);

#endif
