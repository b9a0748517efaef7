/* The catalog's part in the first look at the disk. */
#ifndef PERIGEE_REGISTRY_KEPT_H
#define PERIGEE_REGISTRY_KEPT_H

#include "registry/registry_struct.h"

/* Looks at the disk. The first look is a short one if the catalog knows the files; what it found is
 * saved before the second. */
void cached_look(struct registry *registry, struct source_list *sources);

/* New libs for these files, on the catalog if it is open and fits. One reference, owned by the
 * caller. */
struct libs *cached_libs(struct registry *registry, const struct source_list *sources);

/* The entry of this file in the catalog, asleep; NULL: none. One reference, owned by the caller. */
struct entry *cached_entry(struct registry *registry, struct libs *libs,
                           const struct source *source);

/* Looks at the file, and loads it from the code that the catalog has of it. NULL: it has none, or
 * the long way tells why the file does not load. One reference, owned by the caller. */
struct entry *cached_load(struct registry *registry, struct source *source);

/* The files were loaded for the first time; `more`: this process knows what the catalog does not.
 */
void cached_loaded(struct registry *registry, bool more);

/* Writes what the first look found, if the next process would find less without it. It takes as
 * long as loading, and so is for when nobody waits: in pieces of so many milliseconds (0: all at
 * once) while the engine rests, and what is left before the second look, or at the end. True: there
 * is more. */
bool cached_save_some(struct registry *registry, unsigned ms);
void cached_save(struct registry *registry);

#endif
