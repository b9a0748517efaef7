/* Where a picture goes: what is at a path that a user named, and temporary files that outlive
 * the program, since their path is all that was given away. Thread-safe. */
#ifndef PERIGEE_FILES_PICTURE_FILE_H
#define PERIGEE_FILES_PICTURE_FILE_H

#include <stddef.h>

#include "base/error.h"

enum path_kind {
    PATH_FREE, /* nothing is there, as far as can be seen */
    PATH_FOLDER,
    PATH_PICTURE, /* a PNG or JPEG file by its first bytes, or an empty file */
    PATH_OTHER,   /* something that a picture must not replace */
};

/* "free", "folder", "picture", "other". */
const char *path_kind_name(enum path_kind kind);

/* The kind of file that the path leads to, with links followed. A file that cannot be read is
 * PATH_OTHER. */
enum path_kind path_look(const char *path);

/* The path made absolute: "~/" is the home folder, others start at the current one; "." is taken
 * out, ".." is left for the disk to follow. The caller frees. NULL: "bad_path" (empty, or of a
 * home folder not known). */
char *path_absolute(const char *path, struct error *err);

/* A new, empty file that others may not read, in $TMPDIR or /tmp: perigee_UUID_INFO.EXTENSION.
 * `info` and `extension` are parts of a file's name. The caller frees. NULL on failure. */
char *temporary_make(const char *info, const char *extension, struct error *err);

/* Removes one of them; "not_ours" when the path is none. */
bool temporary_remove(const char *path, struct error *err);

/* Removes those of this user that have not changed for so long, at most `most` of them; how many
 * were. */
size_t temporary_sweep(unsigned seconds, size_t most);

#endif
