/* The files of a pack, the folder that is shared and approved as a whole (registry/packs.h).
 *
 * Every file counts, hidden ones too, but for `.git` at the top and `.DS_Store`, which tools of the
 * user's leave there. A pack has plain files and folders only: no link leads out of it if it has
 * none. Thread-safe. */
#ifndef PERIGEE_REGISTRY_PACK_FILES_H
#define PERIGEE_REGISTRY_PACK_FILES_H

#include "base/buf.h"
#include "base/error.h"
#include "files/stamp.h"

enum {
    PACK_FILES_MAX = 1000,
    PACK_FOLDERS_MAX = 200,
    PACK_DEPTH_MAX = 8,                /* folders in one another */
    PACK_PATH_MAX = 400,               /* bytes of a path inside the pack */
    PACK_FILE_BYTES = 4 * 1024 * 1024, /* one file */
    PACK_ALL_BYTES = 16 * 1024 * 1024, /* all together */
};

struct pack_file {
    char *path; /* inside the pack: "tools/now.lua" */
    struct stamp stamp;
};

/* Zeroed memory is none. */
struct pack_files {
    struct pack_file *items; /* owned; by path, as bytes compare */
    size_t count;
    char **folders;       /* owned: absolute, of the pack and all in it */
    struct stamp *stamps; /* owned: of the folders, from before their files were looked at */
    size_t folder_count;
    uint64_t bytes;
};

/* Looks at the pack in this folder. False: err ("link", "too_many", "too_large", "too_deep",
 * "bad_name", "not_a_file", ... or what the system says) names the file that it must not have. What
 * was found before is in `files` in any case, to be freed. */
bool pack_files_look(struct pack_files *files, const char *path, struct error *err);
void pack_files_free(struct pack_files *files);

/* The file at this path inside the pack; NULL: there is none. Its place is its index. */
const struct pack_file *pack_files_find(const struct pack_files *files, const char *path);

/* The stamp as text: "INODE.SIZE.MODIFIED.CHANGED", in which a file is known again after the
 * system was started anew. */
enum { PACK_STAMP_TEXT = 96 };
void pack_stamp_text(const struct stamp *stamp, char text[PACK_STAMP_TEXT]);

#endif
