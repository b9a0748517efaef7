/* The entries that the engine has now: the current generation, and how it came about.
 *
 * Loading is lazy: nothing is read from disk until registry_current() or registry_reload() is
 * called. */
#ifndef PERIGEE_REGISTRY_REGISTRY_H
#define PERIGEE_REGISTRY_REGISTRY_H

#include "base/wakeup.h"
#include "registry/generation.h"
#include "registry/problems.h"

struct choice;
struct registry;

enum {
    REGISTRY_TOOLS = 1,
    REGISTRY_PROMPTS = 2,
    REGISTRY_RESOURCES = 4,
    REGISTRY_FILES = 8, /* any file: what is listed may be the same as before */
};

#define TOOLSET_CODE "code" /* among the toolsets: it stands for "python" */
#define TOOLSETS_ALL "all"  /* among the toolsets: it stands for each there is */

struct registry_options {
    const char *const *roots; /* absolute folders, later ones win; copied */
    size_t root_count;
    const char *const *toolsets; /* only these and "engine"; NULL: all. Copied */
    size_t toolset_count;
    const char *cache;  /* folder for what files declare (catalog.h); NULL: none. Copied */
    const char *config; /* the file with the choice of tools (choice.h); NULL: none. Copied */
    const char *packs; /* the user's folder, one of the roots, which may have packs (packs.h); NULL:
                          there are none. Copied */

    /* Files were loaded again, and perhaps the content of lists changed (REGISTRY_* bits). */
    void (*changed)(void *arg, unsigned what);
    void *arg;
};

struct registry *registry_new(struct vm *vm, const struct registry_options *options);
void registry_free(struct registry *registry); /* before vm_free(); NULL is fine */

/* The same before vm_end(): what is under way ends, and the memory is left to the system. */
void registry_end(struct registry *registry);

/* Goes on to write for the next process what this one found, for a few milliseconds. True: there is
 * more. */
bool registry_save_some(struct registry *registry);

/* Borrowed until the next reload; take entry references for anything longer. */
struct generation *registry_current(struct registry *registry);

/* Looks at the disk again and swaps in what changed. Returns whether anything did. */
bool registry_reload(struct registry *registry);

/* The same without holding up the loop: files run in turns with calls. `over` (or NULL) is told
 * when what changed was swapped in, perhaps before this returns. One that is asked for while
 * another is under way follows it. */
void registry_reload_in_turns(struct registry *registry, struct wakeup *over);

/* Sets the function that hears of the end of every reload in turns; NULL: none. */
void registry_on_reloaded(struct registry *registry, void (*reloaded)(void *arg), void *arg);

/* The words of a file of prompts/ that has `text`; those that come with the engine while a user's
 * file in their place has none. NULL: there are none of that name. Borrowed until the next call. */
const char *registry_text(struct registry *registry, const char *name);

/* How long registry_current() and registry_reload() let a file work, in milliseconds (default:
 * SANDBOX_LOAD_MS). A server that has to answer gives little: what takes longer is a problem until
 * the next reload in turns. */
void registry_set_patience(struct registry *registry, uint64_t ms);
bool registry_loaded(const struct registry *registry);

/* One file of the last look at the disk, loaded once more and without the others: how commands are
 * loaded. NULL and err. One reference, owned by the caller. */
struct entry *registry_load_alone(struct registry *registry, enum source_kind kind,
                                  const char *name, struct error *err);

/* The source of a lib module, as tools see it: a sandbox_spec.find with the registry as arg. */
bool registry_find_lib(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
                       struct error *err);

/* Looks at the disk: the files of all roots and packs. For sources_free(). */
void registry_scan(struct registry *registry, struct source_list *sources);

/* New libs for files that a scan found, apart from those that serve. Owned by the caller. */
struct libs *registry_libs_apart(const struct registry *registry,
                                 const struct source_list *sources);

/* The packs, as the last look found them; NULL: there can be none. Borrowed. */
struct packs *registry_packs(const struct registry *registry);

/* The place of the root, or of the pack, in this folder; HOME_NONE: it is none. */
int registry_home(const struct registry *registry, const char *folder);

const struct problem *registry_problems(const struct registry *registry, size_t *count);
char *const *registry_roots(const struct registry *registry, size_t *count);

/* Is the entry in the default list? Its file may leave that to the user's choice. */
bool registry_lists(const struct registry *registry, const struct entry *entry);

/* That choice; NULL: there is none. Borrowed. */
const struct choice *registry_choice(const struct registry *registry);

/* Folders whose change may change a generation, from the last look. Borrowed. */
const struct source_folder *registry_folders(const struct registry *registry, size_t *count);

/* The absolute path of scripts/NAME in the last root that has it; for "packs/P/NAME" in a root
 * whose folder is called P, or else in the approved pack P. NULL if none. free() it. */
char *registry_script(const struct registry *registry, const char *name);

struct vm *registry_vm(const struct registry *registry);

/* Called once, when the files have been loaded for the first time; NULL: nobody. */
void registry_on_loaded(struct registry *registry, void (*loaded)(void *arg), void *arg);

/* Sets the function that hears of each saved file that does not load; NULL: none. */
void registry_on_failed(struct registry *registry,
                        void (*failed)(void *arg, const struct problem *problem), void *arg);

/* Sets the function that hears of changes in the content of a resource; NULL: none. */
void registry_on_updated(struct registry *registry, void (*updated)(void *arg, const char *uri),
                         void *arg);

/* An event that no call caused (sys.engine.notice). */
struct notice {
    const char *about, *text;
    const char *tool;  /* the one that tells the same: who may not call it is not told */
    const char *names; /* the application's, one a line; NULL: they are not known */
};

/* Sets the function that hears of notices; NULL: none. */
void registry_on_notice(struct registry *registry,
                        void (*notice)(void *arg, const struct notice *notice), void *arg);

/* Appends text that is another one once a lib file that is neither the engine's nor a pack's was
 * written, came or went. */
void registry_add_libs_state(const struct registry *registry, struct buf *out);

/* For scripts, which know what files do not show. */
void registry_say_changed(struct registry *registry, unsigned what);
void registry_say_updated(struct registry *registry, const char *uri);
void registry_say_notice(struct registry *registry, const struct notice *notice);

#endif
