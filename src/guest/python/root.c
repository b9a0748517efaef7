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

#include "base/util.h"

#define PLACE "/proc" /* any directory that exists: the new root is made over it */

enum { BOUND_MAX = 64, LINKS_MAX = 40, MS_REMOUNT_HERE = MS_REMOUNT | MS_BIND };

/* The paths that are bound, without links in them. */
struct bound {
    char *paths[BOUND_MAX];
    size_t count;
};

static bool is_bound(const struct bound *bound, const char *path)
{
    for (size_t i = 0; i < bound->count; i++) {
        size_t len = strlen(bound->paths[i]);

        if (strncmp(bound->paths[i], path, len) == 0 && (path[len] == '/' || !path[len]))
            return true;
    }
    return false;
}

static bool bind_path(struct bound *bound, const char *path, bool folder)
{
    struct mount_attr attributes = { .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID };
    char place[PATH_MAX + sizeof PLACE];
    int fd;

    if (bound->count == BOUND_MAX)
        return false;
    snprintf(place, sizeof place, PLACE "%s", path);
    if (strncmp(path, "/dev/", 5) != 0)
        attributes.attr_set |= MOUNT_ATTR_NODEV;
    if (!folder) {
        fd = open(place, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        if (fd < 0)
            return false;
        close(fd);
    }
    if (mount(path, place, NULL, MS_BIND | MS_REC, NULL) != 0 ||
        syscall(SYS_mount_setattr, AT_FDCWD, place, AT_RECURSIVE, &attributes, sizeof attributes) !=
            0)
        return false;
    bound->paths[bound->count++] = mem_strdup(path);
    return true;
}

/* Replaces the path by that which a link on it leads to: the link's folder or the root, its target,
 * and what is left behind it. */
static bool follow(char path[PATH_MAX], size_t folder, const char *target, const char *left)
{
    char whole[PATH_MAX];
    int len = *target == '/'
                  ? snprintf(whole, sizeof whole, "%s%s", target, left)
                  : snprintf(whole, sizeof whole, "%.*s/%s%s", (int)folder, path, target, left);

    if (len < 0 || len >= PATH_MAX)
        return false;
    memcpy(path, whole, (size_t)len + 1);
    return true;
}

/* Goes along the path, of which the first `at` bytes are without links, by one name. Returns the
 * length that is without links then; -1: nothing is there; -2: it failed. */
static int walk_name(struct bound *bound, char path[PATH_MAX], int at)
{
    size_t end = (size_t)at + 1 + strcspn(path + at + 1, "/");
    char here[PATH_MAX], target[PATH_MAX], place[PATH_MAX + sizeof PLACE];
    bool inside, last = !path[end];
    struct stat st;
    ssize_t len;

    snprintf(here, sizeof here, "%.*s", (int)end, path);
    if (strcmp(here + at, "/..") == 0) { /* the parent of a folder without links is its text's */
        const char *slash = memrchr(path, '/', (size_t)at);

        at = slash ? (int)(slash - path) : 0;
        memmove(path + at, path + end, strlen(path + end) + 1);
        return at;
    }
    if (strcmp(here + at, "/") == 0 || strcmp(here + at, "/.") == 0) {
        memmove(path + at, path + end, strlen(path + end) + 1);
        return at;
    }
    if (lstat(here, &st) != 0)
        return -1;
    inside = is_bound(bound, here);
    snprintf(place, sizeof place, PLACE "%s", here);
    if (S_ISLNK(st.st_mode)) {
        len = readlink(here, target, sizeof target - 1);
        if (len < 0)
            return -2;
        target[len] = '\0';
        if (!inside)
            (void)!symlink(target, place); /* it may be there already */
        if (!follow(path, (size_t)at, target, path + end))
            return -2;
        return *target == '/' ? 0 : at;
    }
    if (!inside && S_ISDIR(st.st_mode))
        mkdir(place, 0755);
    if (!inside && last && !bind_path(bound, here, S_ISDIR(st.st_mode)))
        return -2;
    return (int)end;
}

/* Brings a path into the new root, with the links on the way to it. */
static bool add_path(struct bound *bound, const char *wanted)
{
    char path[PATH_MAX];
    int at = 0;

    if (snprintf(path, sizeof path, "%s", wanted) >= PATH_MAX)
        return false;
    for (int steps = 0; path[at] && at >= 0; steps++) {
        at = walk_name(bound, path, at);
        if (at < 0 || steps > LINKS_MAX * 8)
            return at == -1;
    }
    return true;
}

static bool add_paths(char *const *paths, size_t count)
{
    struct bound bound = { .count = 0 };
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        ok = add_path(&bound, paths[i]) && ok;
    for (size_t i = 0; i < bound.count; i++)
        free(bound.paths[i]);
    return ok;
}

/* Programs write in /tmp without asking. It is there already if a path is below it. */
static bool link_temporary(void)
{
    return symlink("box", PLACE "/tmp") == 0 || errno == EEXIST;
}

bool root_enter(char *const *paths, size_t count)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV;

    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", PLACE, "tmpfs", flags, "size=256k,nr_inodes=500,mode=0755") == 0 &&
           add_paths(paths, count) && mkdir(PLACE "/box", 0755) == 0 &&
           mount("none", PLACE "/box", "tmpfs", flags | MS_NOEXEC,
                 "size=8m,nr_inodes=100,mode=0700") == 0 &&
           link_temporary() && chdir(PLACE) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 &&
           umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 &&
           mount(NULL, "/", NULL, MS_REMOUNT_HERE | MS_RDONLY | flags, NULL) == 0;
}
#else
bool root_enter(char *const *paths, size_t count)
{
    (void)paths;
    (void)count;
    return false;
}
#endif
