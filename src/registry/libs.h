/* The `lib` modules that a set of files shares, with the sandbox that loads them.
 *
 * Counted, like entries. When a lib file of the user or of a pack changes, those that require it
 * are loaded again, and no others. When one that comes with the engine changes, new libs are made
 * and every file is loaded again on them; what still runs on the old ones keeps them. */
#ifndef PERIGEE_REGISTRY_LIBS_H
#define PERIGEE_REGISTRY_LIBS_H

#include "registry/catalog.h"
#include "registry/source.h"
#include "script/sandbox/sandbox.h"

struct libs;

/* Remembers the lib files of the list; their texts are read from the catalog if there is one
 * (NULL: none). One reference, owned by the caller. */
struct libs *libs_new(struct vm *vm, const struct source_list *sources, struct catalog *catalog);
/* New libs for these files, apart from others, with the texts and the code that those have of files
 * that are as they were. */
struct libs *libs_apart(const struct libs *others, const struct source_list *sources);
struct libs *libs_ref(struct libs *libs);
void libs_unref(struct libs *libs); /* NULL is fine */

struct sandbox *libs_sandbox(struct libs *libs);
struct vm *libs_vm(const struct libs *libs);

/* Are these still the lib files of the list, unchanged? */
bool libs_current(struct libs *libs, const struct source_list *sources);

/* Takes the lib files of the list in place of its own. False: new libs are needed, because files
 * that come with the engine changed, or memory ran out. */
bool libs_change(struct libs *libs, const struct source_list *sources);

/* Does a file of this root get anything else from what it required before the last change? label:
 * NULL if it is not known what it requires; then it may be all that it can see. */
bool libs_touched(struct libs *libs, int home, const char *label);

/* Was the lib file at this path loaded, by this process or by one that wrote the catalog? */
bool libs_used(const struct libs *libs, const char *path);

/* Pushes a set of the modules that a file of another root than the first has required so far, and
 * of those that libs of the same root required for it. May raise (memory). */
void libs_push_required(const struct libs *libs, lua_State *L, int home, const char *label);

/* Finds and reads lib module `name` for a file of the root *home: a sandbox_spec.find, with a
 * struct libs as arg. For other processes: what a pack that is not approved has is found, too, and
 * must not run here. */
bool libs_find(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
               struct error *err);

#endif
