/* The catalog keeps the declarations of files between processes, so that a list needs no file
 * compiled.
 *
 * One file in the user's cache folder for each program and list of roots. It has an index (each Lua
 * file's path, stamp, and what it declares) and the files' texts: a tool whose code is first needed
 * after its file was broken still has its last good version. Beside each stands its compiled code,
 * since compiling is most of the time that a command takes. Nothing in it counts beyond its key,
 * which is the program's version, path and stamp, Lua's stamp and the roots for the whole, and the
 * stamp for each file; all lib files must be as they were, or it is as if it were not there. The
 * same goes for one that is damaged, or that others may write. It also knows which files there are,
 * for a look at the disk that is short (registry/known_files.h): then lib files that no declaration
 * used are looked at when something first requires them.
 *
 * Processes write it side by side, each a new file that replaces the old one; a process that has
 * one open keeps reading what it opened. */
#ifndef PERIGEE_REGISTRY_CATALOG_H
#define PERIGEE_REGISTRY_CATALOG_H

#include "base/buf.h"
#include "base/bytes.h"
#include "registry/source.h"

struct catalog;

/* Where the text of a file lies in a catalog. */
struct cached_text {
    struct catalog *catalog; /* NULL: there is none. A reference where the holder says so */
    uint64_t offset, sum;
    uint32_t len;
};

#define CACHED_COMMAND  STR("command")
#define CACHED_USED_LIB STR("used") /* a file was loaded with it */

/* The catalog's facts about a file. */
struct cached_file {
    struct str path, declaration; /* empty or CACHED_USED_LIB for a lib file, CACHED_COMMAND for a
                                     command; borrowed until the index is dropped */
    struct stamp stamp;
    bool shipped;                  /* it comes with the engine */
    struct cached_text text, code; /* code: what chunk_compile() makes of it; length 0: none */
    struct cached_text whole;      /* its whole definition; length 0: the declaration has it */
};

/* The identity of a catalog; all is borrowed. */
struct catalog_key {
    const char *folder; /* the folder of caches; NULL: none is kept */
    char *const *roots;
    size_t root_count;
};

/* NULL if there is none. One reference, owned by the caller. */
struct catalog *catalog_open(const struct catalog_key *key);

/* The list of files at that time, for known_files_look(). Borrowed until the index is dropped. */
struct str catalog_list(const struct catalog *catalog);

/* Are the lib files that it knows those of the list, all unchanged? If not, nothing in it counts.
 * Of packs that are not approved it knows none. */
bool catalog_fits(struct catalog *catalog, const struct source_list *sources);

struct catalog *catalog_ref(struct catalog *catalog);
void catalog_unref(struct catalog *catalog); /* NULL is fine */

/* Is this very state of the file in it? Else NULL. Borrowed until the index is dropped. A NULL
 * catalog has nothing, and none has foreign files. */
const struct cached_file *catalog_find(struct catalog *catalog, const struct source *source);

/* Frees the index: only texts are read from now on. */
void catalog_drop_index(struct catalog *catalog);

/* Appends the text. False: "damaged", or what the system says. */
bool catalog_read(const struct cached_text *text, struct buf *out, struct error *err);

/* Removes the file: it told something that is not so. */
void catalog_remove(struct catalog *catalog);

/* A new one, in the making. Zeroed memory is empty. */
struct catalog_draft {
    struct buf index, texts;
    struct buf list;        /* written by known_files_write(); empty: the next look is a full one */
    struct catalog *before; /* files in it need not be compiled again; NULL: none */
    uint32_t count;
    bool full;
    int64_t now; /* seconds; 0: as the clock says */
};

/* Adds a file with what it declares, and its whole definition if that is not in there. False: it
 * was changed just now, or is not as it was scanned: what was loaded and what is there now may
 * differ. */
bool catalog_add(struct catalog_draft *draft, const struct source *source, struct str declaration,
                 struct str whole);

void catalog_draft_free(struct catalog_draft *draft);

/* Writes it; what stands in its way is for the log. Frees the draft. */
void catalog_save(struct catalog_draft *draft, const struct catalog_key *key);

#endif
