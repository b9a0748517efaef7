/* A pipe by which threads wake one that waits in poll() for its first descriptor. Neither end
 * blocks. */
#ifndef PERIGEE_BASE_WAKE_PIPE_H
#define PERIGEE_BASE_WAKE_PIPE_H

#include <stdbool.h>

/* False: errno, and nothing is open. */
bool wake_pipe_open(int fds[2]);
void wake_pipe_close(const int fds[2]);

/* Makes the pipe readable. */
void wake_pipe_wake(const int fds[2]);
/* Makes it no longer readable. */
void wake_pipe_drain(const int fds[2]);

#endif
