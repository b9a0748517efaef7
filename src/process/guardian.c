/* The guardian: a grandchild, so that nobody has to wait for its end. */
#include "process/guardian.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* Closes every descriptor but two, of which one may be -1. */
static void close_but(int one, int two)
{
    int most = one > two ? one : two;

    for (int fd = 0; fd < most; fd++)
        if (fd != one && fd != two)
            close(fd);
#ifdef __linux__
    if (syscall(SYS_close_range, (unsigned)most + 1, ~0u, 0) == 0)
        return;
#endif
    for (int fd = most + 1, all = getdtablesize(); fd < all; fd++)
        close(fd);
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

int guardian_start(void (*at_end)(void), int keep)
{
    int fds[2];
    pid_t pid;

    if (uv_pipe(fds, 0, 0) != 0)
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
