#include "guest/jail/python_jail/python_jail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "guest/jail/calls.h"
#include "guest/jail/jail.h"
#include "guest/jail/landlock.h"
#include "guest/jail/limits.h"
#include "guest/jail/namespaces.h"

#ifdef __APPLE__
#define SEATBELT 1 /* its list of calls, which comes last, judges by paths as Landlock does */
#else
#define SEATBELT 0
#endif

enum { SOCKET = 3 };

static char *reads;       /* paths that guests may read, each on a line */
static unsigned prepared; /* layers of the server */
static unsigned held;     /* layers of this guest */

#ifdef __linux__
int perigee_python_box(void)
{
    static const char *const options[][2] = { { "size", "64m" },
                                              { "nr_inodes", "1000" },
                                              { "mode", "0700" } };
    int system, mount = -1;

    if (!(prepared & JAIL_NAMESPACES)) {
        errno = EPERM;
        return -1;
    }
    system = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
    if (system < 0)
        return -1;
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        if (syscall(SYS_fsconfig, system, FSCONFIG_SET_STRING, options[i][0], options[i][1], 0) !=
            0)
            goto out; /* without a bound it would be the machine's memory */
    }
    if (syscall(SYS_fsconfig, system, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        mount = (int)syscall(SYS_fsmount, system, FSMOUNT_CLOEXEC,
                             MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
out:
    close(system);
    return mount;
}

/* Mounts in a namespace of this guest's own: no other sees the box. */
static int mount_box(int mount)
{
    if (mount < 0) {
        errno = EINVAL;
        return -1;
    }
    if (unshare(CLONE_NEWNS) != 0 ||
        syscall(SYS_move_mount, mount, "", AT_FDCWD, "/box", MOVE_MOUNT_F_EMPTY_PATH) != 0)
        return -1;
    return chdir("/box");
}

#else
int perigee_python_box(void)
{
    errno = ENOTSUP;
    return -1;
}

static int mount_box(int mount)
{
    (void)mount;
    return -1;
}

#endif

static void end_with_parent(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int perigee_python_enter(int mount, const char *box)
{
    end_with_parent();
    held = prepared & JAIL_NAMESPACES;
    if (held && mount_box(mount) != 0)
        return -1;
    namespaces_drop_capabilities();
    if (SEATBELT || landlock_close_but(reads, held ? "/box" : box))
        held |= JAIL_LANDLOCK;
    return (int)held;
}

int perigee_python_lock(int opens, const char *seatbelt)
{
    enum calls_files files = !opens || !held          ? CALLS_NO_FILES
                             : held & JAIL_NAMESPACES ? CALLS_OWN_ROOT
                                                      : CALLS_FILES;

    limits_set_python(); /* the list of calls holds without the limits */
    limits_close_above(SOCKET);
    return calls_list_python(files, seatbelt) ? 0 : -1;
}

/* Tries in a process of its own what a guest will do. Returns the layers that it got. */
static unsigned try_guest(void)
{
    int mount = perigee_python_box(), status = 0, layers;
    pid_t pid = fork();

    if (pid == 0) {
        layers = perigee_python_enter(mount, "");
        if (layers < 0)
            _exit(0);
        layers |= limits_set_python() ? JAIL_LIMITS : 0;
        _exit(layers | (perigee_python_lock(1, "(version 1)(deny default)") == 0 ? JAIL_CALLS : 0));
    }
    if (mount >= 0)
        close(mount);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return 0;
    return (unsigned)WEXITSTATUS(status);
}

int perigee_python_begin(void)
{
    const char *layers = getenv("PERIGEE_PYTHON_LAYERS"), *paths = getenv("PERIGEE_PYTHON_READS");

    end_with_parent();
    reads = strdup(paths ? paths : "");
    if (!reads)
        return -1;
    prepared = layers ? (unsigned)atoi(layers) & JAIL_NAMESPACES : 0;
    if (prepared)
        namespaces_keep_mounting();
    else
        namespaces_drop_capabilities();
    return (int)try_guest();
}
