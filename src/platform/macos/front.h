/* The application in front, and bringing another one there. */
#ifndef PERIGEE_PLATFORM_MACOS_FRONT_H
#define PERIGEE_PLATFORM_MACOS_FRONT_H

#include "platform/platform.h"

/* The application that gets the keys; 0: none. From any thread. */
int front_pid(void);

struct front {
    int pid;
    int tried;     /* number of ways that were tried */
    uint64_t next; /* when the next one is due: deadline_now() */
};

/* Asks for the front in the usual way. The caller looks for the effect with front_pid(), because
 * the answer of macOS is not final. */
void front_begin(struct front *front, int pid);

/* Called while the application is not in front: goes on to the next way after a while. */
void front_insist(struct front *front);

#endif
