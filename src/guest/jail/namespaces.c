#include "guest/jail/namespaces.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CAPABILITIES_MAX = 64 };

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return ok;
}

/* Maps the user and the group to themselves, or to root. */
static bool map_ids(unsigned user, unsigned group, bool to_root)
{
    char users[40], groups[40];

    snprintf(users, sizeof users, "%u %u 1", to_root ? 0 : user, user);
    snprintf(groups, sizeof groups, "%u %u 1", to_root ? 0 : group, group);
    return write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users) &&
           write_file("/proc/self/gid_map", groups);
}

/* Waits for the child and ends as it does: the process that entered is not in the new pid
 * namespace, but its first child is. The caller knows only this one's number. */
static void follow_child(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* Enters in steps, each of which a system may refuse: some let a process have a user namespace, but
 * not map its ids. The pid namespace comes last, because its first child is its pid 1: a process
 * outside could make that child and no other. */
bool namespaces_enter(bool as_root)
{
    unsigned user = geteuid(), group = getegid();
    pid_t child;

    if (unshare(CLONE_NEWUSER) != 0 || !map_ids(user, group, as_root))
        return false;
    if (unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
                CLONE_NEWCGROUP) != 0)
        return false; /* it is all of them or none */
    child = fork();
    if (child < 0)
        _exit(EXIT_FAILURE); /* such a process could not make a guest either */
    if (child > 0)
        follow_child(child);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* if the other process ended before, the socket shows it */
    return true;
}

/* Mounts the new root over the old one at the same place, and then detaches the old one
 * (pivot_root(2), NOTES). */
bool namespaces_empty_root(void)
{
    static const char place[] = "/proc"; /* any directory that exists */
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", place, "tmpfs", flags, "size=4k,nr_inodes=1,mode=0555") == 0 &&
           chdir(place) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 &&
           umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 &&
           mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | flags, NULL) == 0;
}

/* Gives up all but this one. */
static void keep_capability(unsigned long kept)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2] = { { 0 } };

    for (unsigned long i = 0; i < CAPABILITIES_MAX; i++) {
        if (i != kept)
            prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
    }
    if (kept < CAPABILITIES_MAX)
        data[kept / 32].effective = data[kept / 32].permitted = 1U << kept % 32;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    syscall(SYS_capset, &header, data);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void namespaces_drop_capabilities(void)
{
    keep_capability(CAPABILITIES_MAX);
}

void namespaces_keep_mounting(void)
{
    keep_capability(CAP_SYS_ADMIN);
}
#else
bool namespaces_enter(bool as_root)
{
    (void)as_root;
    return false;
}

bool namespaces_empty_root(void)
{
    return false;
}

void namespaces_drop_capabilities(void)
{
}

void namespaces_keep_mounting(void)
{
}
#endif
