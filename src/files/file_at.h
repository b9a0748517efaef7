/* Reading and replacing one file by its name in an open folder.
 *
 * A name is a single path component and is never followed when it is a
 * symbolic link; AT_FDCWD with a whole path works, too, for the engine's own
 * files. `shown` is the path that error texts name. Thread-safe. */
#ifndef PERIGEE_FILES_FILE_AT_H
#define PERIGEE_FILES_FILE_AT_H

#include <sys/stat.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

/* Opens a regular file and nothing else: a named pipe or a device neither
 * hangs us nor notices. flags as for open(); -1 and err ("not_a_file", ...). */
int file_at_open(int dir, const char *name, int flags, mode_t mode, const char *shown,
                 struct error *err);

/* Appends at most max bytes to out, all that can be had. -1: errno is set. */
ssize_t file_read_some(int fd, size_t max, struct buf *out);

/* Writes all of it or returns false with errno. */
bool file_write_all(int fd, const char *ptr, size_t len);

#define FILE_TEMP_PREFIX ".perigee-" /* begins the name that a file has until it is complete */
#define FILE_TEMP_END    ".tmp"

/* A file that takes its name only when it is complete. On the caller's memory,
 * begun by file_writer_begin() and ended by exactly one of commit and abandon;
 * both borrow dir, name and shown from begin. */
struct file_writer {
    int dir, fd;
    const char *name, *shown;
    bool fresh;   /* it is to be new */
    bool claimed; /* name is an empty file of ours */
    bool loose;
    char temp[64];
};

struct file_options {
    bool exclusive; /* "exists" when there is such a file */
    bool loose;     /* not flushed: who reads it notices damage, and can do without it */
    bool set_mode;  /* to mode; else: that of the file replaced, or by umask */
    mode_t mode;
    const struct stat *like; /* a file whose permissions and, where allowed, owner it gets; NULL */
};

/* Keeps the permissions and, where allowed, the owner of a file it replaces;
 * its hard links and extended attributes stay with the old contents. */
bool file_writer_begin(struct file_writer *writer, int dir, const char *name, const char *shown,
                       const struct file_options *options, struct error *err);

/* Flushes to the disk (unless it is loose), then renames. On failure nothing is left behind. */
bool file_writer_commit(struct file_writer *writer, struct error *err);
void file_writer_abandon(struct file_writer *writer);

/* Removes from a folder the files of writers that were killed before they were complete: those with
 * such a name that nobody holds the lock of. Once in a process for each folder; a writer that
 * begins does it for its own. */
void folder_at_sweep(int dir, const char *name);

/* Removes a folder and all in it, never following a link. */
bool folder_at_remove_all(int dir, const char *name, const char *shown, struct error *err);

#endif
