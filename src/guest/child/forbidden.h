/* The end of a guest that makes a system call which is not on its list. */
#ifndef PERIGEE_GUEST_CHILD_FORBIDDEN_H
#define PERIGEE_GUEST_CHILD_FORBIDDEN_H

/* Installs the handler, before the guest is shut in: it reports such a call to the engine
 * (FORBIDDEN in guest/frame.h), and the guest ends by SIGSYS. */
void forbidden_watch(void);

#endif
