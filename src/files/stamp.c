/* States of files. */
#include "files/stamp.h"

enum { SETTLED_S = 2 };

bool stamp_same(const struct stamp *a, const struct stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified == b->modified && a->changed == b->changed;
}

static int64_t timespec_nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct stamp stamp_of(const struct stat *st)
{
#ifdef __APPLE__
    return (struct stamp){ st->st_dev, st->st_ino, st->st_size,
                           timespec_nanoseconds(st->st_mtimespec),
                           timespec_nanoseconds(st->st_ctimespec) };
#else
    return (struct stamp){ st->st_dev, st->st_ino, st->st_size, timespec_nanoseconds(st->st_mtim),
                           timespec_nanoseconds(st->st_ctim) };
#endif
}

bool stamp_look(const char *path, struct stamp *stamp)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return false;
    *stamp = stamp_of(&st);
    return true;
}

void stamp_write(const struct stamp *stamp, struct buf *out)
{
    bytes_u64(out, (uint64_t)stamp->device);
    bytes_u64(out, (uint64_t)stamp->inode);
    bytes_u64(out, (uint64_t)stamp->size);
    bytes_u64(out, (uint64_t)stamp->modified);
    bytes_u64(out, (uint64_t)stamp->changed);
}

struct stamp stamp_read(struct bytes *from)
{
    struct stamp stamp = { .device = (dev_t)bytes_get_u64(from) };

    stamp.inode = (ino_t)bytes_get_u64(from);
    stamp.size = (off_t)bytes_get_u64(from);
    stamp.modified = (int64_t)bytes_get_u64(from);
    stamp.changed = (int64_t)bytes_get_u64(from);
    return stamp;
}

bool stamp_settled(const struct stamp *stamp, int64_t time)
{
    int64_t before = time - SETTLED_S;

    return stamp->modified / 1000000000 < before && stamp->changed / 1000000000 < before;
}
