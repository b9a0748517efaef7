/* States of files. */
#include "files/stamp.h"

bool stamp_same(const struct stamp *a, const struct stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified == b->modified && a->changed == b->changed;
}

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct stamp stamp_of(const struct stat *st)
{
#ifdef __APPLE__
    return (struct stamp){ st->st_dev, st->st_ino, st->st_size, nanoseconds(st->st_mtimespec),
                           nanoseconds(st->st_ctimespec) };
#else
    return (struct stamp){ st->st_dev, st->st_ino, st->st_size, nanoseconds(st->st_mtim),
                           nanoseconds(st->st_ctim) };
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
