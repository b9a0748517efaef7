/* A guest: one script in a process of its own. */
#ifndef PERIGEE_GUEST_CHILD_CHILD_H
#define PERIGEE_GUEST_CHILD_CHILD_H

/* Makes the VM and the modules that scripts may require; called once, in the server, so that each
 * guest has them by its fork. */
void guest_prepare(void);

/* Takes the job from the socket, runs it, sends its result, and ends the process. Called in the
 * guest. */
_Noreturn void guest_main(int socket);

#endif
