/* The packs of the user: what others wrote, a folder HOME/packs/NAME for each, shaped as a root.
 *
 * Until the user approves a pack nothing in it runs in the engine: its tools are foreign
 * (registry/foreign.h), and its other files are not loaded. What is approved is a state of all its
 * files (registry/pack_files.h), which HOME/packs.json has by their digests. Any other state is not
 * approved, whatever says so. What is loaded of an approved pack is held against its digest once
 * more (source_text()), so that nothing that changes between the look and the load is run.
 *
 * packs.json is written by `perigee pack` (lua/lib/pack/record.lua):
 *   {"packs": {NAME: {"approved": true, "files": [{"path": ..., "sha256": ..., "stamp": ...}, ...],
 *   ...}}}, the files by path as bytes compare. A stamp that is as it was (pack_stamp_text())
 *   saves reading the file. */
#ifndef PERIGEE_REGISTRY_PACKS_H
#define PERIGEE_REGISTRY_PACKS_H

#include "base/crypto.h"
#include "registry/pack_files.h"

struct packs;

struct pack {
    char *name;
    char *path;    /* absolute */
    size_t place;  /* the same for a name as long as there are these packs */
    bool usable;   /* false: nothing in it is loaded; `problem` says why */
    bool approved; /* as it is now */
    bool changed;  /* it was approved, and is another since; `problem` says what was found first */
    char *problem; /* or NULL */
    struct pack_files files;
    unsigned char (*sums)[CRYPTO_SHA256]; /* digests of the files, if approved */
    bool *summed;                         /* true for each known one */
    uint64_t state;                       /* another one if any file is another */
};

/* home: the user's folder; copied. */
struct packs *packs_new(const char *home);
void packs_free(struct packs *packs); /* NULL is fine */

/* Looks at all of them. Main thread only. */
void packs_look(struct packs *packs);

/* As the last look found them, by name; borrowed until the next. */
const struct pack *packs_all(const struct packs *packs, size_t *count);
const struct pack *packs_find(const struct packs *packs,
                              const char *name); /* NULL: there is none */

const char *packs_home(const struct packs *packs);
const char *packs_folder(const struct packs *packs); /* HOME/packs */
const char *packs_record(const struct packs *packs); /* HOME/packs.json */

/* Why packs.json cannot be read, so that no pack is approved; NULL: it can, or is not there. */
const char *packs_record_problem(const struct packs *packs);

/* May this be the name of a pack: a small letter, then up to 63 of a-z 0-9 _ -. */
bool pack_name_ok(const char *name);

#endif
