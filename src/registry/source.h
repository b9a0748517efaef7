/* The Lua files of the roots, as found on disk.
 *
 * ROOT/tools/TOOLSET/NAME.lua, ROOT/tools/NAME.lua (toolset "user"),
 * ROOT/foreign/TOOLSET/NAME.lua (toolset "foreign/TOOLSET"), ROOT/foreign/NAME.lua ("foreign"),
 * ROOT/resources/TOOLSET/NAME.lua, ROOT/resources/NAME.lua (toolset ""),
 * ROOT/prompts/NAME.lua, ROOT/providers/NAME.lua, ROOT/commands/NAME.lua, ROOT/services/NAME.lua,
 * ROOT/lib/ANY/NAME.lua, ROOT/testing/ANY/NAME.lua (lib files "testing.ANY.NAME", which only tests
 * require), ROOT/dictionary/NAME.lua (lib files "dictionary.NAME", which only
 * lua/lib/dictionary/curated.lua loads), ROOT/policy.lua. ROOT/tests is not one of these folders
 * (registry/test_file.h). A later root overrides an earlier one by kind and name, except lib files:
 * each root has its own (registry/libs.h). A file of foreign/ overrides none but others of
 * foreign/. Hidden files and files that do not end in .lua are ignored.
 *
 * A pack (registry/packs.h) has the same folders, and no policy. Its files override none: of two
 * packs with a file of one name the first by name has it. Its tools and resources are of the
 * toolset "packs/NAME", or "foreign/packs/NAME". */
#ifndef PERIGEE_REGISTRY_SOURCE_H
#define PERIGEE_REGISTRY_SOURCE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/util.h"
#include "files/stamp.h"
#include "registry/packs.h"

#define TOOLSET_CONSOLE "console" /* its tools are for a console's sessions alone */

enum { LUA_FILE_MAX = 4 * 1024 * 1024 }; /* bytes of a file; a larger one is not loaded */

enum source_kind {
    SOURCE_TOOL,
    SOURCE_PROMPT,
    SOURCE_PROVIDER,
    SOURCE_RESOURCE,
    SOURCE_COMMAND,
    SOURCE_POLICY, /* one file, without a folder of its kind */
    SOURCE_LIB,
    SOURCE_SERVICE
};

struct source {
    enum source_kind kind;
    char *name;    /* "draw_rectangle"; a lib's is dotted: "agent.log" */
    char *toolset; /* tools and resources, else "" */
    char *path;    /* absolute */
    char *label;   /* for messages: "tools/keynote/draw_rectangle.lua" */
    struct stamp stamp;
    size_t root;  /* its root's place in the list of roots; behind them that of its pack */
    bool foreign; /* it is in foreign/, or in a pack that is not approved: nothing in it runs in the
                     engine (registry/foreign.h) */
    bool unseen;  /* nobody looked at the file: the stamp is that of an earlier look */
    bool packed;  /* it is in a pack */
    bool bound;   /* the content must have this digest: */
    unsigned char sum[CRYPTO_SHA256];
    uint64_t pack_state; /* the state of its pack (struct pack) */
};

/* It comes with the engine: it is in the first root. */
bool source_is_shipped(const struct source *source);

struct source_folder {
    char *path;
    struct stamp stamp; /* from before its files were looked at; zeros: it is not there */
    size_t root;
};

/* A file that cannot be used at all, and why. */
struct source_problem {
    char *path;
    char *text;
};

struct source_list {
    struct source *items; /* owned; sorted by kind, toolset, name */
    size_t count, cap;
    struct source_problem *problems; /* owned */
    size_t problem_count;
    struct source_folder *folders; /* owned: all that were looked into or would be if there */
    size_t folder_count;
    int64_t time;      /* when the look began, seconds */
    bool linked;       /* symbolic links are among them */
    bool packed;       /* there are packs */
    size_t root_count; /* places from here on are those of packs */
};

/* Roots that do not exist are skipped. Looks at the packs, too; NULL: there are none. */
void sources_scan(struct source_list *list, char *const *roots, size_t root_count,
                  struct packs *packs);

/* Those of one pack, as the last look at it found it. root: its place behind the roots. */
void sources_scan_pack(struct source_list *list, const struct pack *pack, size_t root);
void sources_free(struct source_list *list);

/* For those who know the files from elsewhere. What is at this path, whose first bytes are the root
 * with its slash, but for root and stamp. The caller owns the members. */
struct source source_at(enum source_kind kind, const char *path, size_t root_len);
void source_clear(struct source *source);                         /* frees the members */
void sources_add(struct source_list *list, struct source source); /* takes its members */
void sources_reserve(struct source_list *list, size_t more);      /* room for as many more */
void sources_add_folder(struct source_list *list, const char *path, size_t root,
                        const struct stamp *stamp); /* copies */

struct source *sources_find(const struct source_list *list, enum source_kind kind,
                            const char *name);

/* Does a come before b, where both are of one kind and name? The first one counts. Of lib files
 * each root has its own. */
bool source_precedes(const struct source *a, const struct source *b);

/* Has the root, an open folder, a policy.lua? One that cannot be read counts: it must not be passed
 * over for another root's. */
bool source_has_policy(int root);

/* Looks at the file if nobody did. */
void source_see(struct source *source);

#endif
