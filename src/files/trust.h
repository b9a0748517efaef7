/* Files of authority: what they say gives rights, holds a secret or runs as a part of the engine.
 * Whoever else can write them, or move them away, would decide it.
 *
 * Others are all users but this one, root and the owner of the running program; a group is the
 * user's own if it has the user's name and no other member. Thread-safe. */
#ifndef PERIGEE_FILES_TRUST_H
#define PERIGEE_FILES_TRUST_H

#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"

enum trust {
    TRUST_RULES, /* no other user can write it, nor change the folders above it */
    TRUST_OWN,   /* and it is the user's */
    TRUST_SECRET /* and no other user can read it */
};

/* Judges a file or folder alone; false: it is not to be used as that. */
bool trust_ok(const struct stat *st, enum trust trust);

/* The same of an open file, and of the folders above the file that the path leads to. "insecure":
 * err says what others can do, and which command ends it. */
bool trust_check(int fd, const char *path, enum trust trust, struct error *err);

/* The same of a file that is not open. */
bool trust_look(const char *path, enum trust trust, struct error *err);

/* file_read_all() of a file of authority; a symbolic link is followed, and its target is judged. */
bool trust_read(const char *path, enum trust trust, size_t max, struct buf *out, struct error *err);

#endif
