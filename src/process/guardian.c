/* The guardian: a grandchild, so that nobody has to wait for its end. */
#include "process/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static void close_between(unsigned first, unsigned last)
{
#ifdef __linux__
    if (syscall(SYS_close_range, first, last, 0) == 0)
        return;
#endif
    unsigned most = (unsigned)getdtablesize();

    for (unsigned fd = first; fd <= last && fd < most; fd++)
        close((int)fd);
}

static void close_but(int one, int two)
{
    unsigned low = (unsigned)(one < two ? one : two), high = (unsigned)(one < two ? two : one);

    if (one < 0 || two < 0)
        low = high; /* there is one only */
    if (low > 0)
        close_between(0, low - 1);
    if (high > low + 1)
        close_between(low + 1, high - 1);
    close_between(high + 1, ~0u);
}

static void guard(int ended, int keep, void (*at_end)(void))
{
    sigset_t all;
    char byte;
    ssize_t got;

    sigfillset(&all); /* no Ctrl-C of a terminal is meant for it, and no SIGTERM for a group */
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
#ifdef __linux__
    prctl(PR_SET_NAME, "perigee-guard");
#endif
    close_but(ended, keep);
    if (chdir("/") != 0)
        _exit(1);
    do
        got = read(ended, &byte, 1);
    while (got > 0 || (got < 0 && errno == EINTR));
    at_end();
    _exit(0);
}

static bool make_pipe(int fds[2])
{
#ifdef __linux__
    return pipe2(fds, O_CLOEXEC) == 0; /* a child that another thread starts gets neither end */
#else
    if (pipe(fds) != 0)
        return false;
    fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    fcntl(fds[1], F_SETFD, FD_CLOEXEC);
    return true;
#endif
}

int guardian_start(void (*at_end)(void), int keep)
{
    int fds[2];
    pid_t pid;

    if (!make_pipe(fds))
        return -1;
    pid = fork();
    if (pid == 0) {
        close(fds[1]);
        if (fork() == 0)
            guard(fds[0], keep, at_end);
        _exit(0);
    }
    close(fds[0]);
    if (pid < 0) {
        close(fds[1]);
        return -1;
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return fds[1];
}
