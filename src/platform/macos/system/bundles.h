/* Applications on disk: folders that end in ".app".
 *
 * Looked up in the usual folders, without Spotlight, which may be off. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_BUNDLES_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_BUNDLES_H

#include "base/error.h"

struct bundle {
    char *name;  /* name of its folder: "Calculator" */
    char *shown; /* its name for this user: "Rechner" */
    char *id;    /* "com.apple.calculator"; "" for none */
    char *path;
};

struct bundle_list {
    struct bundle *items; /* sorted by name */
    size_t count;
};

void bundles_list(struct bundle_list *out);
void bundles_free(struct bundle_list *list);

/* The path of an application by a name that a user gives: a path, an identifier, or either name,
 * with or without ".app". NULL and "app_not_found", or "app_ambiguous" naming the candidates. The
 * caller frees. */
char *bundle_find(const char *name, struct error *err);

/* The file with the application's icon; the bundle itself if the icon is in a catalog. The caller
 * frees. */
char *bundle_icon(const char *path);

#endif
