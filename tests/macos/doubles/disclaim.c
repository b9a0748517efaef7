/* A TEST DOUBLE, for LD_PRELOAD, of the functions that process/identity.c looks up on a Mac, and of
 * a posix_spawn() that knows POSIX_SPAWN_SETEXEC. The parent of a program answers for it until it
 * is disclaimed; with DOUBLE_STUBBORN set, even afterwards; with DOUBLE_REFUSES, nothing can be
 * disclaimed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SETEXEC = 0x0040 };

static int disclaimed;

int responsibility_spawnattrs_setdisclaim(posix_spawnattr_t *attributes, int disclaim)
{
    (void)attributes;
    if (getenv("DOUBLE_REFUSES"))
        return EPERM;
    disclaimed = disclaim;
    return 0;
}

pid_t responsibility_get_pid_responsible_for_pid(pid_t pid)
{
    const char *mark = getenv("DOUBLE_DISCLAIMED");

    return mark && atoi(mark) == pid ? pid : getppid();
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    static int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                       const posix_spawnattr_t *, char *const[], char *const[]);
    short flags = 0;
    char mark[16];

    if (attributes)
        posix_spawnattr_getflags(attributes, &flags);
    if (!(flags & SETEXEC) || envp != environ) {
        *(void **)&real = dlsym(RTLD_NEXT, "posix_spawn");
        return real(pid, path, actions, attributes, argv, envp);
    }
    snprintf(mark, sizeof mark, "%d", (int)getpid());
    if (disclaimed && !getenv("DOUBLE_STUBBORN"))
        setenv("DOUBLE_DISCLAIMED", mark, 1);
    execve(path, argv, environ);
    return errno;
}
