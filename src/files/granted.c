/* The file operations of scripts, each in the same three steps: locate under the grants, act on
 * (folder, name), close. Listing is in listing.c. */
#include "files/granted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "files/file_at.h"

enum { COPY_STEP = 1 << 16 };

/* As fs_locate(), for something that is to be a file. */
static bool locate_file(const struct fs_grants *grants, struct str path, unsigned how,
                        struct fs_place *place, struct error *err)
{
    if (!fs_locate(grants, path, how | FS_FOLLOW, place, err))
        return false;
    if (path.ptr[path.len - 1] == '/')
        return error_set(err, "is_a_folder",
                         "\"%s/\" ends in a slash, which names a directory. Remove the slash",
                         place->path);
    return true;
}

/* --- reading ------------------------------------------------------------------ */

static int open_to_read(const struct fs_grants *grants, struct str path, struct fs_place *place,
                        struct error *err)
{
    if (!locate_file(grants, path, 0, place, err))
        return -1;
    return file_at_open(place->dir, place->name, O_RDONLY, 0, place->path, err);
}

bool fs_read(const struct fs_grants *grants, struct str path, size_t max, struct buf *out,
             struct error *err)
{
    size_t before = out->len;
    bool more = false;
    bool ok = fs_read_part(grants, path, 0, max, out, &more, err);

    if (ok && more)
        ok = error_set(err, "too_large",
                       "\"%.*s\" has more than %zu bytes. Read it in parts, or raise the limit",
                       (int)(path.len < 300 ? path.len : 300), path.ptr, max);
    if (!ok)
        out->len = before;
    return ok;
}

/* Reads one byte too many to know whether there are more. */
static bool read_file_part(int fd, uint64_t offset, size_t max, struct buf *out, bool *more)
{
    ssize_t n;

    if (offset > INT64_MAX) {
        errno = EINVAL;
        return false;
    }
    if (offset > 0 && lseek(fd, (off_t)offset, SEEK_SET) < 0)
        return false;
    n = file_read_some(fd, max < SIZE_MAX / 2 ? max + 1 : max, out);
    *more = n >= 0 && (size_t)n > max;
    if (*more)
        out->len--;
    return n >= 0;
}

bool fs_read_part(const struct fs_grants *grants, struct str path, uint64_t offset, size_t max,
                  struct buf *out, bool *more, struct error *err)
{
    size_t before = out->len;
    struct fs_place place;
    int fd = open_to_read(grants, path, &place, err);
    bool ok = fd >= 0 && read_file_part(fd, offset, max, out, more);

    if (fd >= 0 && !ok) {
        error_errno(err, errno, "cannot read \"%s\"", place.path);
        out->len = before;
    }
    if (fd >= 0)
        close(fd);
    fs_place_close(&place);
    return ok;
}

int fs_open(const struct fs_grants *grants, struct str path, struct error *err)
{
    struct fs_place place;
    int fd = open_to_read(grants, path, &place, err);

    fs_place_close(&place);
    return fd;
}

char *fs_resolve(const struct fs_grants *grants, struct str path, bool write, struct error *err)
{
    struct fs_place place;
    char *real = NULL;

    if (fs_locate(grants, path, FS_FOLLOW | (write ? FS_WRITE : 0), &place, err))
        real = mem_strdup(place.path);
    fs_place_close(&place);
    return real;
}

/* --- writing ------------------------------------------------------------------ */

static bool write_whole_file(const struct fs_place *place, struct str data,
                             const struct fs_write_options *how, struct error *err)
{
    struct file_options options = { .exclusive = how && how->exclusive,
                                    .loose = how && how->loose,
                                    .like = how ? how->like : NULL };
    struct file_writer writer;

    if (!file_writer_begin(&writer, place->dir, place->name, place->path, &options, err))
        return false;
    if (!file_write_all(writer.fd, data.ptr, data.len)) {
        error_errno(err, errno, "cannot write \"%s\"", place->path);
        file_writer_abandon(&writer);
        return false;
    }
    return file_writer_commit(&writer, err);
}

bool fs_write_atomic(const struct fs_grants *grants, struct str path, struct str data,
                     const struct fs_write_options *options, struct error *err)
{
    unsigned how = FS_WRITE | (options && options->make_parents ? FS_MAKE_PARENTS : 0);
    struct fs_place place;
    bool ok =
        locate_file(grants, path, how, &place, err) && write_whole_file(&place, data, options, err);

    fs_place_close(&place);
    return ok;
}

static bool append_data(int fd, struct str data, const char *shown, struct error *err)
{
    struct stat info;
    bool known = fstat(fd, &info) == 0;
    int number;

    if (file_write_all(fd, data.ptr, data.len))
        return true;
    number = errno;
    if (known && ftruncate(fd, info.st_size) != 0)
        return error_errno(err, number, "cannot append to \"%s\"; its end is incomplete", shown);
    return error_errno(err, number, "cannot append to \"%s\"", shown);
}

bool fs_append(const struct fs_grants *grants, struct str path, struct str data, mode_t mode,
               struct error *err)
{
    struct fs_place place;
    bool ok = locate_file(grants, path, FS_WRITE, &place, err);
    int fd = -1;

    if (ok)
        fd = file_at_open(place.dir, place.name, O_WRONLY | O_APPEND | O_CREAT, mode, place.path,
                          err);
    if (fd >= 0 && !(mode & 077))
        file_tighten(fd, mode);
    ok = fd >= 0 && append_data(fd, data, place.path, err);
    if (fd >= 0 && close(fd) != 0 && ok)
        ok = error_errno(err, errno, "cannot append to \"%s\"", place.path);
    fs_place_close(&place);
    return ok;
}

static bool make_folder(const struct fs_place *place, mode_t mode, struct error *err)
{
    struct stat info;

    if (mkdirat(place->dir, place->name, mode) == 0)
        return true;
    if (errno == EEXIST && fstatat(place->dir, place->name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(info.st_mode))
        return true;
    return error_errno(err, errno, "cannot create directory \"%s\"", place->path);
}

bool fs_mkdirs(const struct fs_grants *grants, struct str path, mode_t mode, struct error *err)
{
    struct fs_place place;
    bool ok = fs_locate(grants, path, FS_FOLLOW | FS_WRITE | FS_MAKE_PARENTS, &place, err) &&
              make_folder(&place, mode, err);

    fs_place_close(&place);
    return ok;
}

bool fs_tighten_folder(const struct fs_grants *grants, struct str path, mode_t mode,
                       struct error *err)
{
    struct fs_place place;
    bool ok = fs_locate(grants, path, FS_FOLLOW | FS_WRITE, &place, err);
    int fd = -1;

    if (ok)
        fd = openat(place.dir, place.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        file_tighten(fd, mode);
        close(fd);
    }
    fs_place_close(&place);
    return ok;
}

/* --- removing and moving ------------------------------------------------------- */

static bool not_a_grant(const struct fs_grants *grants, const struct fs_place *place,
                        const char *what, struct error *err)
{
    if (!fs_holds_grant(grants, place->path))
        return true;
    return error_set(err, "not_granted",
                     "cannot %s \"%s\": it is, or contains, a granted directory", what,
                     place->path);
}

static bool remove_place(const struct fs_place *place, struct error *err)
{
    struct stat info;
    int rc = fstatat(place->dir, place->name, &info, AT_SYMLINK_NOFOLLOW);

    if (rc == 0)
        rc = unlinkat(place->dir, place->name, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
    if (rc == 0)
        return true;
    /* EEXIST: what some systems say of a folder that is not empty */
    return error_errno(err, errno == EEXIST ? ENOTEMPTY : errno, "cannot remove \"%s\"",
                       place->path);
}

bool fs_remove(const struct fs_grants *grants, struct str path, struct error *err)
{
    struct fs_place place;
    bool ok = fs_locate(grants, path, FS_WRITE, &place, err) &&
              not_a_grant(grants, &place, "remove", err) && remove_place(&place, err);

    fs_place_close(&place);
    return ok;
}

static bool copy_bytes(int from, int to)
{
    char *space = mem_alloc(COPY_STEP);
    bool ok = true;
    ssize_t n;

    while (ok && (n = read(from, space, COPY_STEP)) != 0)
        ok = n < 0 ? errno == EINTR : file_write_all(to, space, (size_t)n);
    free(space);
    return ok;
}

static bool copy_fd_to(int from, const struct fs_place *to, bool replace, struct error *err)
{
    struct file_options options = { .exclusive = !replace, .set_mode = true };
    struct file_writer writer;
    struct stat info;

    if (fstat(from, &info) != 0)
        return error_errno(err, errno, "cannot copy to \"%s\"", to->path);
    options.mode = info.st_mode & 0777;
    if (!file_writer_begin(&writer, to->dir, to->name, to->path, &options, err))
        return false;
    if (!copy_bytes(from, writer.fd)) {
        error_errno(err, errno, "cannot copy to \"%s\"", to->path);
        file_writer_abandon(&writer);
        return false;
    }
    return file_writer_commit(&writer, err);
}

static bool copy_place(const struct fs_place *from, const struct fs_place *to, bool replace,
                       struct error *err)
{
    int fd = file_at_open(from->dir, from->name, O_RDONLY, 0, from->path, err);
    bool ok = fd >= 0 && copy_fd_to(fd, to, replace, err);

    if (fd >= 0)
        close(fd);
    return ok;
}

bool fs_copy(const struct fs_grants *grants, struct str from, struct str to, bool replace,
             struct error *err)
{
    struct fs_place source, target = { .dir = -1 };
    bool ok = locate_file(grants, from, 0, &source, err) &&
              locate_file(grants, to, FS_WRITE, &target, err) &&
              copy_place(&source, &target, replace, err);

    fs_place_close(&source);
    fs_place_close(&target);
    return ok;
}

/* By copying: rename() does not reach another file system. */
static bool move_across(const struct fs_place *from, const struct fs_place *to, bool replace,
                        struct error *err)
{
    struct stat info;

    if (fstatat(from->dir, from->name, &info, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(info.st_mode))
        return error_set(err, "other_disk",
                         "cannot move directory \"%.200s\" to another disk (\"%.200s\"). Move its "
                         "files one by one",
                         from->path, to->path);
    return copy_place(from, to, replace, err) && remove_place(from, err);
}

static bool move_entry(const struct fs_place *from, const struct fs_place *to, bool replace,
                       struct error *err)
{
    struct stat info;

    if (!replace && fstatat(to->dir, to->name, &info, AT_SYMLINK_NOFOLLOW) == 0)
        return error_errno(err, EEXIST, "cannot move to \"%s\"", to->path);
    if (renameat(from->dir, from->name, to->dir, to->name) == 0)
        return true;
    if (errno == EXDEV)
        return move_across(from, to, replace, err);
    return error_errno(err, errno, "cannot move \"%.200s\" to \"%.200s\"", from->path, to->path);
}

bool fs_rename(const struct fs_grants *grants, struct str from, struct str to, bool replace,
               struct error *err)
{
    struct fs_place source, target = { .dir = -1 };
    bool ok = fs_locate(grants, from, FS_WRITE, &source, err) &&
              not_a_grant(grants, &source, "move", err) &&
              fs_locate(grants, to, FS_WRITE, &target, err) &&
              not_a_grant(grants, &target, "replace", err) &&
              move_entry(&source, &target, replace, err);

    fs_place_close(&source);
    fs_place_close(&target);
    return ok;
}
