/* The engine's own files and paths, by any path: nothing here asks for a
 * grant, so a script must never reach these functions. Thread-safe. */
#ifndef PERIGEE_FILES_FILE_H
#define PERIGEE_FILES_FILE_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

/* Appends the file to out. "too_large" when it has more than max bytes, and
 * then, as after any failure, out is as before. */
bool file_read_all(const char *path, size_t max, struct buf *out, struct error *err);

/* The same of an open file, from where it stands. `path` is for messages. */
bool file_read_open(int fd, const char *path, size_t max, struct buf *out, struct error *err);

/* The whole new contents or the old ones, never half of it. mode 0: as the
 * file it replaces, or as umask says. A symbolic link is written through. */
bool file_write_atomic(const char *path, const char *data, size_t len, mode_t mode,
                       struct error *err);

/* Takes from an open file or folder that is the user's own what the mode does not have: it may have
 * been made before it was known to be private. Not from a device, which is for all. */
void file_tighten(int fd, mode_t mode);

/* Makes a folder and those above it, private to the user. Fine if it exists. */
bool folder_make(const char *path, struct error *err);

/* A new private folder in $TMPDIR or /tmp; the caller frees the name and
 * removes the folder with folder_remove_all(). NULL on failure. */
char *folder_make_temp(struct error *err);

/* With all that is in it; never follows a link. Fine if it does not exist. */
bool folder_remove_all(const char *path, struct error *err);

/* "a" and "b" make "a/b"; an absolute b stands alone, an empty one adds nothing.
 * The caller frees. */
char *path_join(const char *base, const char *name);

/* Absolute, without double slashes, "." and a slash at the end; ".." is kept, since what it means
 * depends on links. The caller frees. */
char *path_tidy(const char *path);

/* "~" and "~/x" with the user's home folder; anything else copied. The caller
 * frees. */
char *path_expand_home(const char *path);

/* The last component; borrowed from path, which ends in no slash. */
const char *path_name(const char *path);

/* The file of a program: of a name where PATH leads to, of a path itself. NULL: it cannot be
 * started. The caller frees. */
char *file_of_program(const char *name);

/* Can this program be started? */
bool file_on_path(const char *name);

#endif
