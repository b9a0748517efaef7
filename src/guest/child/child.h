/* A guest: one script in a process of its own. */
#ifndef PERIGEE_GUEST_CHILD_CHILD_H
#define PERIGEE_GUEST_CHILD_CHILD_H

/* In the server, once: the VM and what scripts may require, so that each guest has them by its
 * fork. */
void guest_prepare(void);

/* In the guest: takes its job from the socket, runs it, says what came of it, and ends the process.
 */
_Noreturn void guest_main(int socket);

#endif
