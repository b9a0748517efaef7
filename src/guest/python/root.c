#include "guest/python/root.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLACE "/proc" /* any directory that exists: the new root is made over it */

/* Makes the directories above a path of the new root. */
static void make_parents(char *path)
{
    for (char *slash = path + sizeof PLACE; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

/* Makes something for a mount to cover. */
static bool make_place(char *path, bool folder)
{
    make_parents(path);
    return (folder ? mkdir(path, 0755) : mknod(path, S_IFREG | 0644, 0)) == 0;
}

/* Links are followed here, so that the new root has what they lead to in their places. */
static bool bind_path(const char *path)
{
    struct mount_attr attributes = { .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID };
    char place[PATH_MAX + sizeof PLACE];
    struct stat st;

    if (stat(path, &st) != 0)
        return true;
    snprintf(place, sizeof place, PLACE "%s", path);
    if (access(place, F_OK) == 0)
        return true; /* below an earlier path */
    if (strncmp(path, "/dev/", 5) != 0)
        attributes.attr_set |= MOUNT_ATTR_NODEV;
    return make_place(place, S_ISDIR(st.st_mode)) &&
           mount(path, place, NULL, MS_BIND | MS_REC, NULL) == 0 &&
           syscall(SYS_mount_setattr, AT_FDCWD, place, AT_RECURSIVE, &attributes,
                   sizeof attributes) == 0;
}

static bool bind_paths(const char *paths)
{
    char path[PATH_MAX];

    for (const char *at = paths; *at; at += *at == '\n') {
        size_t len = strcspn(at, "\n");

        snprintf(path, sizeof path, "%.*s", (int)len, at);
        if (!bind_path(path))
            return false;
        at += len;
    }
    return true;
}

/* Programs write in /tmp without asking. It is there already if a path is below it. */
static bool link_temporary(void)
{
    return symlink("box", PLACE "/tmp") == 0 || errno == EEXIST;
}

bool root_enter(const char *paths)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV;

    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", PLACE, "tmpfs", flags, "size=256k,nr_inodes=500,mode=0755") == 0 &&
           bind_paths(paths) && mkdir(PLACE "/box", 0755) == 0 &&
           mount("none", PLACE "/box", "tmpfs", flags | MS_NOEXEC,
                 "size=8m,nr_inodes=100,mode=0700") == 0 &&
           link_temporary() && chdir(PLACE) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 &&
           umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 &&
           mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | flags, NULL) == 0;
}
#else
bool root_enter(const char *paths)
{
    (void)paths;
    return false;
}
#endif
