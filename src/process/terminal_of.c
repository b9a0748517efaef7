/* On Linux the upper end of a terminal is an open /dev/ptmx (pts(4)), on a Mac a vnode of that
 * name. */
#include "process/terminal_of.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

#ifdef __APPLE__
#include <libproc.h>

static bool is_upper_end(int pid, const struct proc_fdinfo *fd)
{
    struct vnode_fdinfowithpath info;

    return fd->proc_fdtype == PROX_FDTYPE_VNODE &&
           proc_pidfdinfo(pid, fd->proc_fd, PROC_PIDFDVNODEPATHINFO, &info, sizeof info) ==
               sizeof info &&
           strcmp(info.pvip.vip_path, "/dev/ptmx") == 0;
}

bool process_holds_terminal(int pid)
{
    struct proc_fdinfo fds[1024];
    int size = proc_pidinfo(pid, PROC_PIDLISTFDS, 0, fds, sizeof fds);

    for (int i = 0; i < size / (int)sizeof *fds; i++)
        if (is_upper_end(pid, &fds[i]))
            return true;
    return false;
}

int process_children(int pid, int *children, int most)
{
    int count = proc_listchildpids(pid, children, most * (int)sizeof *children);

    return count < 0 ? 0 : count;
}

#else
#include <dirent.h>

static bool is_upper_end(int folder, const char *name)
{
    char target[64];
    ssize_t len = readlinkat(folder, name, target, sizeof target - 1);

    target[len > 0 ? len : 0] = '\0';
    return strcmp(target, "/dev/ptmx") == 0 || strcmp(target, "/dev/pts/ptmx") == 0;
}

bool process_holds_terminal(int pid)
{
    char path[48];
    bool holds = false;
    struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    folder = opendir(path);
    while (folder && !holds && (entry = readdir(folder)))
        holds =
            isdigit((unsigned char)*entry->d_name) && is_upper_end(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
    return holds;
}

/* The children of one thread of it. */
static int children_of_thread(int pid, const char *thread, int *children, int most)
{
    char path[80];
    FILE *file;
    int count = 0;

    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, thread);
    file = fopen(path, "re");
    while (file && count < most && fscanf(file, "%d", &children[count]) == 1)
        count++;
    if (file)
        fclose(file);
    return count;
}

int process_children(int pid, int *children, int most)
{
    char path[48];
    int count = 0;
    struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof path, "/proc/%d/task", pid);
    folder = opendir(path);
    while (folder && count < most && (entry = readdir(folder)))
        if (isdigit((unsigned char)*entry->d_name))
            count += children_of_thread(pid, entry->d_name, children + count, most - count);
    if (folder)
        closedir(folder);
    return count;
}
#endif
