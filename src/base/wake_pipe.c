#include "base/wake_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __linux__
bool wake_pipe_open(int fds[2])
{
    return pipe2(fds, O_CLOEXEC | O_NONBLOCK) == 0; /* in one step: other threads may fork */
}
#else
bool wake_pipe_open(int fds[2])
{
    if (pipe(fds) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}
#endif

void wake_pipe_close(const int fds[2])
{
    close(fds[0]);
    close(fds[1]);
}

void wake_pipe_wake(const int fds[2])
{
    while (write(fds[1], "", 1) < 0 && errno == EINTR) /* a full pipe wakes as well */
        ;
}

void wake_pipe_drain(const int fds[2])
{
    char drop[256];

    while (read(fds[0], drop, sizeof drop) > 0)
        ;
}
