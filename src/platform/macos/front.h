/* Which application is in front, and bringing another one there. */
#ifndef PERIGEE_PLATFORM_MACOS_FRONT_H
#define PERIGEE_PLATFORM_MACOS_FRONT_H

#include "platform/platform.h"

/* The application that gets the keys; 0: none. From any thread. */
int front_pid(void);

struct front {
    int pid;
    int tried;     /* ways */
    uint64_t next; /* when the next one is due: deadline_now() */
};

/* Asks for it in the usual way. What comes of it is for the caller to see, with front_pid(): what
 * macOS answers is not final. */
void front_begin(struct front *front, int pid);

/* To be called while it is not in front: after a while, goes on to the next way. */
void front_insist(struct front *front);

#endif
