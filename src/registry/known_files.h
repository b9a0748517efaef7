/* The catalog's list of files, and a look at whether it is still right, in a third of the time of
 * sources_scan().
 *
 * A folder whose stamp is the same has the same names in it. So nobody reads the folders again, and
 * the look takes the stamps only of files on which a list depends: those that declare something,
 * and the lib files that were used. It takes the others for granted, and says so (source.unseen):
 * the loader of such a file looks first. A server looks at all of them soon after its start. */
#ifndef PERIGEE_REGISTRY_KNOWN_FILES_H
#define PERIGEE_REGISTRY_KNOWN_FILES_H

#include "base/buf.h"
#include "registry/libs.h"
#include "registry/source.h"

/* Can the list be known? Not with links, whose targets change elsewhere, nor with packs, each of
 * whose files is looked at, nor with problems, nor right after a folder changed. */
bool known_files_may_write(const struct source_list *list);

/* Appends the list. Which lib files are used, libs knows. */
void known_files_write(const struct source_list *list, const struct libs *libs, struct buf *out);

/* The list as it was written, with today's stamps, if these are still the files. False: they are
 * not, or nothing was written; the list is empty. */
bool known_files_look(struct str known, char *const *roots, size_t root_count,
                      struct source_list *list);

#endif
