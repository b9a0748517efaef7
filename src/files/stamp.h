/* A stamp stands for the state of a file: every change, of its mode too, changes at least one of
 * its fields. */
#ifndef PERIGEE_FILES_STAMP_H
#define PERIGEE_FILES_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/bytes.h"

struct stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    int64_t modified; /* nanoseconds */
    int64_t changed;
};

struct stamp stamp_of(const struct stat *st);

/* The state of the file that a path leads to; false: there is none. */
bool stamp_look(const char *path, struct stamp *stamp);
bool stamp_same(const struct stamp *a, const struct stamp *b);

/* Does a change at this time (seconds) or later give another stamp? Not right after the last
 * change: some file systems count in seconds. */
bool stamp_settled(const struct stamp *stamp, int64_t time);

void stamp_write(const struct stamp *stamp, struct buf *out);
struct stamp stamp_read(struct bytes *from);

#endif
