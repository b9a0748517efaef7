/* Shared by grants.c and walk.c; nobody else needs it. */
#ifndef PERIGEE_FILES_WALK_H
#define PERIGEE_FILES_WALK_H

#include "files/grants.h"

/* path is folder or lies below it; *rest is what follows, "" or "/...". Both
 * tidy. */
bool fs_path_under(const char *folder, const char *path, const char **rest);

/* The innermost grant that holds a tidy path, by real or by given name. */
const struct fs_grant *fs_grant_of(const struct fs_grants *grants, const char *path, bool as_given,
                                   const char **rest);

/* Without double slashes, "." and a slash at the end; ".." is kept, since what
 * it means depends on links. The caller frees. */
char *fs_path_tidy(const char *path);

#endif
