/* Files and folders for scripts: every path is checked against the grants.
 *
 * Each function does its work before it returns and may be called from any
 * thread, as long as nobody changes the grants meanwhile. Paths are absolute
 * or relative to the first grant; what fs_locate() refuses, these refuse, and
 * errors of the system have the codes of error_errno(). */
#ifndef PERIGEE_FILES_GRANTED_H
#define PERIGEE_FILES_GRANTED_H

#include <sys/stat.h>
#include <sys/types.h>

#include "base/buf.h"
#include "files/grants.h"

enum fs_kind { FS_FILE, FS_FOLDER, FS_LINK, FS_OTHER };

/* "file", "folder", "link", "other". */
const char *fs_kind_name(enum fs_kind kind);

struct fs_entry {
    char *name; /* owned by the listing; NULL from fs_stat() */
    enum fs_kind kind;
    uint64_t size;       /* bytes; 0 unless a file */
    int64_t modified_ms; /* since 1970, UTC */
    unsigned mode;       /* permission bits */
    uid_t uid;
    gid_t gid;
};

struct fs_listing {
    struct fs_entry *entries; /* owned; by name, as bytes compare */
    size_t count;
    bool truncated; /* there were more than max */
};

/* --- reading ------------------------------------------------------------------ */

/* Appends the whole file to out. "too_large" when it has more than max bytes,
 * "not_a_file" for pipes and devices; out is as before after a failure. */
bool fs_read(const struct fs_grants *grants, struct str path, size_t max, struct buf *out,
             struct error *err);

/* Appends at most max bytes from offset on (none past the end); *more says
 * whether the file goes on. */
bool fs_read_part(const struct fs_grants *grants, struct str path, uint64_t offset, size_t max,
                  struct buf *out, bool *more, struct error *err);

/* Opens a file to be read, for the caller to close. -1 on failure. */
int fs_open(const struct fs_grants *grants, struct str path, struct error *err);

/* Describes the file at a path. A link is followed if it leads to a granted place. */
bool fs_stat(const struct fs_grants *grants, struct str path, struct fs_entry *entry,
             struct error *err);

/* At most max entries; links are not followed. fs_listing_free() afterwards,
 * also after a failure. */
bool fs_list(const struct fs_grants *grants, struct str path, size_t max,
             struct fs_listing *listing, struct error *err);
void fs_listing_free(struct fs_listing *listing);

/* The real, absolute path, for a program that is given it; the caller frees.
 * Sound at this moment only: a program opens it again by name. NULL on failure. */
char *fs_resolve(const struct fs_grants *grants, struct str path, bool write, struct error *err);

/* --- changing ----------------------------------------------------------------- */

struct fs_write_options {
    bool make_parents;       /* missing folders above it */
    bool exclusive;          /* "exists" when there is such a file */
    bool loose;              /* not flushed to the disk */
    const struct stat *like; /* as in struct file_options */
};

/* The file has its old contents or all of the new, never half. It keeps its
 * permissions; a link is written through. options may be NULL. */
bool fs_write_atomic(const struct fs_grants *grants, struct str path, struct str data,
                     const struct fs_write_options *options, struct error *err);

/* Adds at the end, making the file if needed. What a full disk cut short is
 * taken off again. For a mode that is the user's alone, an existing file of the user's gets it. */
bool fs_append(const struct fs_grants *grants, struct str path, struct str data, mode_t mode,
               struct error *err);

/* The folder and those above it. Fine if it exists. */
bool fs_mkdirs(const struct fs_grants *grants, struct str path, mode_t mode, struct error *err);

/* Takes from a folder that is the user's own what the mode does not have. Another's stays as it is.
 */
bool fs_tighten_folder(const struct fs_grants *grants, struct str path, mode_t mode,
                       struct error *err);

/* A file, a link (not its target) or an empty folder; never a granted folder. */
bool fs_remove(const struct fs_grants *grants, struct str path, struct error *err);

/* Moves. "exists" when there is something at `to` and it is not to be
 * replaced. Between file systems a file is copied and removed; a folder is
 * "other_disk". */
bool fs_rename(const struct fs_grants *grants, struct str from, struct str to, bool replace,
               struct error *err);

/* One file, its permissions included; complete or not at all. */
bool fs_copy(const struct fs_grants *grants, struct str from, struct str to, bool replace,
             struct error *err);

#endif
