/* The folders a script may use, and the one way from a path to a file in them.
 *
 * A path is walked one component at a time from the granted folder, with
 * openat() and never through a symbolic link; a link that is met is read, and
 * its target starts over as a new path, so that links inside the grants work
 * and links out of them do not. What a walk ends with is an open folder and a
 * name in it: nobody can swap a folder under us between check and use.
 * Not covered: a hard link is a file of the folder it lies in, and mounts are
 * followed. */
#ifndef PERIGEE_FILES_GRANTS_H
#define PERIGEE_FILES_GRANTS_H

#include "base/error.h"
#include "base/util.h"

struct fs_grant {
    char *path; /* as it was given, made absolute */
    char *real; /* with every link resolved: what counts */
    bool write;
    bool own; /* a tool's folder for its data: the user granted it to nobody */
};

/* Zeroed memory is a list that grants nothing. Must not change while another
 * thread uses it. Where grants lie in one another, the inner one decides. */
struct fs_grants {
    struct fs_grant *items; /* owned */
    size_t count;
};

/* The folder must exist. Adding one again sets `write` anew. */
bool fs_grants_add(struct fs_grants *grants, const char *folder, bool write, struct error *err);

/* For tools' own data, to be read and written: no relative path starts there, and FS_GIVEN leaves
 * it out. A folder that the user granted stays one. */
bool fs_grants_add_own(struct fs_grants *grants, const char *folder, struct error *err);

/* Where relative paths start: the first that the user granted; NULL: there is none. */
const struct fs_grant *fs_grants_first(const struct fs_grants *grants);
void fs_grants_copy(struct fs_grants *to, const struct fs_grants *from);

/* Leaves a list that grants nothing. */
void fs_grants_free(struct fs_grants *grants);

enum fs_walk {
    FS_FOLLOW = 1,       /* the last component, too, when it is a link */
    FS_WRITE = 2,        /* refuse where only reading is granted */
    FS_MAKE_PARENTS = 4, /* make the folders that are missing above the last component */
    FS_GIVEN = 8         /* only what the user granted, no tool's own folder */
};

/* Where a path leads. The last component need not exist. */
struct fs_place {
    int dir;    /* open folder, for the *at() calls only */
    char *name; /* one component; "." for a granted folder itself */
    char *path; /* the whole, real path: for texts, and to pass on to programs */
};

/* The path as fs_locate() reads it: absolute, "~" for the home directory and what is in it, or
 * relative to the first grant. Not tidied. The caller frees. */
char *fs_absolute(const struct fs_grants *grants, const char *path);

/* A path as fs_absolute() reads it. "not_granted", "read_only",
 * "bad_path" (empty, or with a NUL), "name_too_long", "too_many_links",
 * "not_found", "not_a_folder", ... End with fs_place_close(). */
bool fs_locate(const struct fs_grants *grants, struct str path, unsigned how,
               struct fs_place *place, struct error *err);
void fs_place_close(struct fs_place *place);

/* This path, which is real, is a granted folder or has one below it. */
bool fs_holds_grant(const struct fs_grants *grants, const char *path);

#endif
