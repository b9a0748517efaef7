/* A file is replaced by writing a temporary one beside it, flushing that and
 * renaming it: at any moment the name leads to the whole old contents or the
 * whole new ones, also when the machine loses power in between. */
#include "files/file_at.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

enum { READ_STEP = 65536, TREE_DEPTH_MAX = 256, FOLDERS_LOOKED = 64 };

static bool refuse_kind(mode_t mode, const char *shown, struct error *err)
{
    if (S_ISREG(mode))
        return true;
    if (S_ISDIR(mode))
        return error_set(err, "is_a_folder", "\"%s\" is a directory, not a file", shown);
    return error_set(err, "not_a_file", "\"%s\" is not a regular file but a %s", shown,
                     S_ISLNK(mode)    ? "symbolic link"
                     : S_ISFIFO(mode) ? "named pipe"
                     : S_ISSOCK(mode) ? "socket"
                                      : "device");
}

int file_at_open(int dir, const char *name, int flags, mode_t mode, const char *shown,
                 struct error *err)
{
    struct stat info;
    int nofollow = dir == AT_FDCWD ? 0 : O_NOFOLLOW;
    int fd;

    /* Looking first keeps us from opening devices, which can do things. */
    if (fstatat(dir, name, &info, nofollow ? AT_SYMLINK_NOFOLLOW : 0) == 0 &&
        !refuse_kind(info.st_mode, shown, err))
        return -1;
    fd = openat(dir, name, flags | nofollow | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
    if (fd < 0) {
        error_errno(err, errno, "cannot open \"%s\"", shown);
        return -1;
    }
    if (fstat(fd, &info) == 0 && refuse_kind(info.st_mode, shown, err))
        return fd;
    close(fd);
    return -1;
}

ssize_t file_read_some(int fd, size_t max, struct buf *out)
{
    size_t done = 0;

    while (done < max) {
        size_t step = max - done < READ_STEP ? max - done : READ_STEP;
        ssize_t n = read(fd, buf_reserve(out, step), step);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        out->len += (size_t)n;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

bool file_write_all(int fd, const char *ptr, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, ptr, len < INT32_MAX ? len : INT32_MAX);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        ptr += n;
        len -= (size_t)n;
    }
    return true;
}

/* --- the writer --------------------------------------------------------------- */

/* The folder part of a path relative to AT_FDCWD, or nothing for a bare name. */
static int folder_part_length(const struct file_writer *writer)
{
    const char *slash = writer->dir == AT_FDCWD ? strrchr(writer->name, '/') : NULL;

    return slash ? (int)(slash - writer->name) + 1 : 0;
}

static bool temp_name(const struct file_writer *writer, char *out, size_t size)
{
    int len = snprintf(out, size, "%.*s%s", folder_part_length(writer), writer->name, writer->temp);

    if (len < 0 || (size_t)len >= size) {
        errno = ENAMETOOLONG;
        return false;
    }
    return true;
}

/* Locks the new file, by which others know that it has a writer. False: it was taken for one that
 * has none, and is gone. */
static bool keep_temp(int fd)
{
    struct stat st;

    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return fstat(fd, &st) != 0 || st.st_nlink > 0;
}

static bool open_temp(struct file_writer *writer)
{
    static atomic_uint counter;
    char path[4096];

    for (;;) {
        snprintf(writer->temp, sizeof writer->temp, FILE_TEMP_PREFIX "%d-%u" FILE_TEMP_END,
                 (int)getpid(), atomic_fetch_add(&counter, 1));
        if (!temp_name(writer, path, sizeof path))
            return false;
        writer->fd =
            openat(writer->dir, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (writer->fd < 0 && errno != EEXIST)
            return false;
        if (writer->fd >= 0 && keep_temp(writer->fd))
            return true;
        if (writer->fd >= 0)
            close(writer->fd);
    }
}

/* --- what killed writers left ---------------------------------------------------- */

static bool is_temp_name(const char *name)
{
    size_t len = strlen(FILE_TEMP_PREFIX), digits;

    if (strncmp(name, FILE_TEMP_PREFIX, len) != 0)
        return false;
    name += len;
    digits = strspn(name, "0123456789");
    if (!digits || name[digits] != '-')
        return false;
    name += digits + 1;
    digits = strspn(name, "0123456789");
    return digits && strcmp(name + digits, FILE_TEMP_END) == 0;
}

static void remove_left(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(dir, name, 0);
    close(fd);
}

/* Is it the first look of this process at the folder? */
static bool is_first_look(const struct stat *st)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        dev_t device;
        ino_t inode;
    } looked[FOLDERS_LOOKED];
    static size_t next;
    bool first = true;

    pthread_mutex_lock(&mutex);
    for (size_t i = 0; first && i < FOLDERS_LOOKED; i++)
        first = looked[i].device != st->st_dev || looked[i].inode != st->st_ino;
    if (first) {
        looked[next % FOLDERS_LOOKED].device = st->st_dev;
        looked[next++ % FOLDERS_LOOKED].inode = st->st_ino;
    }
    pthread_mutex_unlock(&mutex);
    return first;
}

void folder_at_sweep(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    DIR *folder = fd >= 0 && fstat(fd, &st) == 0 && is_first_look(&st) ? fdopendir(fd) : NULL;
    struct dirent *entry;

    if (!folder && fd >= 0)
        close(fd);
    while (folder && (entry = readdir(folder)))
        if (is_temp_name(entry->d_name))
            remove_left(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
}

static void sweep_for(const struct file_writer *writer)
{
    char folder[4096];

    snprintf(folder, sizeof folder, "%.*s.", folder_part_length(writer), writer->name);
    folder_at_sweep(writer->dir, folder);
}

/* --- beginning and ending --------------------------------------------------------- */

/* An empty file under the final name, so that two writers of a new file cannot both win where the
 * file system has no second names. */
static bool claim_name(struct file_writer *writer)
{
    int fd = openat(writer->dir, writer->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    0666);

    if (fd < 0)
        return false;
    close(fd);
    writer->claimed = true;
    return true;
}

/* Before there are contents to be read. Who may not give files away keeps them. */
static void take_owner_over(int fd, const struct stat *old)
{
    struct stat now;
    int rc = 0;

    if (fstat(fd, &now) == 0 && (now.st_uid != old->st_uid || now.st_gid != old->st_gid))
        rc = fchown(fd, old->st_uid, old->st_gid) == 0 || fchown(fd, (uid_t)-1, old->st_gid);
    (void)rc;
    fchmod(fd, old->st_mode & 0777);
}

bool file_writer_begin(struct file_writer *writer, int dir, const char *name, const char *shown,
                       const struct file_options *options, struct error *err)
{
    struct stat old;
    bool replaces;

    *writer = (struct file_writer){
        .dir = dir, .fd = -1, .name = name, .shown = shown, .loose = options->loose
    };
    replaces = fstatat(dir, name, &old, dir == AT_FDCWD ? 0 : AT_SYMLINK_NOFOLLOW) == 0;
    if (replaces && !refuse_kind(old.st_mode, shown, err))
        return false;
    if (options->exclusive && (replaces || fstatat(dir, name, &old, AT_SYMLINK_NOFOLLOW) == 0))
        return error_errno(err, EEXIST, "cannot create \"%s\"", shown);
    writer->fresh = options->exclusive;
    sweep_for(writer);
    if (!open_temp(writer)) {
        error_errno(err, errno, "cannot write \"%s\"", shown);
        file_writer_abandon(writer);
        return false;
    }
    if (options->like)
        take_owner_over(writer->fd, options->like);
    else if (options->set_mode)
        fchmod(writer->fd, options->mode);
    else if (replaces)
        take_owner_over(writer->fd, &old);
    return true;
}

/* The rename is durable only once the folder is. Not every file system can;
 * the contents are safe without. */
static void sync_folder(const struct file_writer *writer)
{
    int part = folder_part_length(writer);
    char folder[4096];
    int fd;

    snprintf(folder, sizeof folder, "%.*s.", part, writer->name);
    fd = openat(writer->dir, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* Closes it, which may tell of a failure; the lock lasts until *lock is closed. */
static bool close_temp(struct file_writer *writer, int *lock)
{
    int fd = writer->fd;

    *lock = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    writer->fd = -1;
    return close(fd) == 0;
}

/* A new file gets its name only with its contents, so that a killed writer leaves none that is
 * empty. */
static bool take_name(struct file_writer *writer, const char *temp)
{
    if (writer->fresh && linkat(writer->dir, temp, writer->dir, writer->name, 0) == 0) {
        unlinkat(writer->dir, temp, 0);
        return true;
    }
    if (writer->fresh && (errno == EEXIST || !claim_name(writer)))
        return false;
    return renameat(writer->dir, temp, writer->dir, writer->name) == 0;
}

bool file_writer_commit(struct file_writer *writer, struct error *err)
{
    char path[4096];
    int lock = -1;
    bool ok = (writer->loose || fsync(writer->fd) == 0) && close_temp(writer, &lock) &&
              temp_name(writer, path, sizeof path) && take_name(writer, path);

    if (!ok) {
        error_errno(err, errno, "cannot write \"%s\"", writer->shown);
        file_writer_abandon(writer);
    } else if (!writer->loose) {
        sync_folder(writer);
    }
    if (lock >= 0)
        close(lock);
    return ok;
}

void file_writer_abandon(struct file_writer *writer)
{
    char path[4096];
    int saved = errno;

    if (writer->fd >= 0)
        close(writer->fd);
    if (temp_name(writer, path, sizeof path) && *writer->temp)
        unlinkat(writer->dir, path, 0);
    if (writer->claimed)
        unlinkat(writer->dir, writer->name, 0);
    errno = saved;
}

/* --- whole trees -------------------------------------------------------------- */

static bool remove_entry(int dir, const char *name, unsigned depth);

static bool remove_inside(int dir, const char *name, unsigned depth)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    bool ok = true;

    if (!folder) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (ok && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = remove_entry(dirfd(folder), entry->d_name, depth + 1);
    }
    int saved = errno;
    closedir(folder);
    errno = saved;
    return ok;
}

static bool remove_entry(int dir, const char *name, unsigned depth)
{
    struct stat info;

    if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    if (!S_ISDIR(info.st_mode))
        return unlinkat(dir, name, 0) == 0;
    if (depth > TREE_DEPTH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return remove_inside(dir, name, depth) && unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

bool folder_at_remove_all(int dir, const char *name, const char *shown, struct error *err)
{
    if (remove_entry(dir, name, 0))
        return true;
    return error_errno(err, errno, "cannot remove \"%s\"", shown);
}
