/* Writes the declarations of an entry's file as bytes for a catalog, and reads them.
 *
 * An entry out of a catalog is asleep: it can be listed and found, and its arguments be checked;
 * its file is compiled when it is called for the first time. */
#ifndef PERIGEE_REGISTRY_DECLARED_H
#define PERIGEE_REGISTRY_DECLARED_H

#include "registry/entry.h"

/* Appends what the entry's file declares, but for its whole definition where lists show less
 * (entry_whole()). */
void declared_write(const struct entry *entry, struct buf *out);

/* The entry of a file that a catalog knows. NULL: the bytes are damaged. One reference, owned by
 * the caller. */
struct entry *declared_entry(struct vm *vm, struct libs *libs, const struct source *source,
                             const struct cached_file *kept);

/* Loads the code of an entry that is asleep. False: err; it sleeps on. If its file declares
 * something else than the catalog said, that holds from now on, and the catalog goes. */
bool entry_wake(struct entry *entry, struct error *err);

#endif
