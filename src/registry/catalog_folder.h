/* The folder with the catalogs: few, all the user's own. */
#ifndef PERIGEE_REGISTRY_CATALOG_FOLDER_H
#define PERIGEE_REGISTRY_CATALOG_FOLDER_H

#include "base/error.h"
#include "base/util.h"

#define CATALOG_PREFIX "catalog-" /* begins the names of its files */

/* Makes the folder, writes the file at `path` in it, whole or not at all, and removes the oldest
 * when there are many. */
bool catalog_folder_write(const char *folder, const char *path, struct str bytes,
                          struct error *err);

#endif
