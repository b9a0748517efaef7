/* The end of a guest that made a system call which is not on its list. */
#ifndef PERIGEE_GUEST_CHILD_FORBIDDEN_H
#define PERIGEE_GUEST_CHILD_FORBIDDEN_H

/* In a guest, before it is shut in: from now on it reports such a call to the engine (FORBIDDEN in
 * guest/frame.h) and ends by SIGSYS. */
void forbidden_watch(void);

#endif
