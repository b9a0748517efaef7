/* Which files there were, and whether the disk still says so: a look that takes a third of the time
 * of sources_scan(), in the catalog's keeping.
 *
 * A folder whose stamp is the same has the same names in it. So nobody reads the folders again, and
 * of the files the look takes the stamps of those alone on which a list depends: what declares
 * something, and the lib files that were used. Of the others it takes for granted what it knows,
 * and says so (source.unseen): whoever loads one looks first. A server looks at all of them soon
 * after its start. */
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
