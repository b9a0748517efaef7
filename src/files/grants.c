/* The list of granted folders. walk.c follows paths through them. */
#include "files/grants.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "files/walk.h"

bool fs_path_under(const char *folder, const char *path, const char **rest)
{
    size_t len = strlen(folder);

    if (len == 1) /* "/" */
        len = 0;
    if (strncmp(folder, path, len) != 0 || (path[len] != '/' && path[len] != '\0'))
        return false;
    if (rest)
        *rest = path + len;
    return true;
}

const struct fs_grant *fs_grant_of(const struct fs_grants *grants, const char *path, bool as_given,
                                   const char **rest)
{
    const struct fs_grant *best = NULL;
    size_t best_len = 0;

    for (size_t i = 0; i < grants->count; i++) {
        const struct fs_grant *grant = &grants->items[i];
        const char *folder = as_given ? grant->path : grant->real;
        const char *after;

        if (!fs_path_under(folder, path, &after) || (best && strlen(folder) < best_len))
            continue;
        best = grant;
        best_len = strlen(folder);
        *rest = after;
    }
    return best;
}

bool fs_holds_grant(const struct fs_grants *grants, const char *path)
{
    for (size_t i = 0; i < grants->count; i++) {
        if (fs_path_under(path, grants->items[i].real, NULL))
            return true;
    }
    return false;
}

static char *make_absolute(const char *path)
{
    char here[4096];
    char *joined, *tidy;

    if (*path == '/')
        return fs_path_tidy(path);
    if (!getcwd(here, sizeof here))
        return NULL;
    joined = path_join(here, path);
    tidy = fs_path_tidy(joined);
    free(joined);
    return tidy;
}

bool fs_grants_add(struct fs_grants *grants, const char *folder, bool write, struct error *err)
{
    char *real = realpath(folder, NULL);
    struct stat info;
    char *path;

    if (!real || stat(real, &info) != 0 || !S_ISDIR(info.st_mode)) {
        error_errno(err, real ? ENOTDIR : errno, "cannot grant folder \"%s\"", folder);
        free(real);
        return false;
    }
    for (size_t i = 0; i < grants->count; i++) {
        if (strcmp(grants->items[i].real, real) == 0) {
            grants->items[i].write = write;
            free(real);
            return true;
        }
    }
    path = make_absolute(folder);
    grants->items = mem_resize(grants->items, (grants->count + 1) * sizeof *grants->items);
    grants->items[grants->count++] =
        (struct fs_grant){ .path = path ? path : mem_strdup(real), .real = real, .write = write };
    return true;
}

void fs_grants_copy(struct fs_grants *to, const struct fs_grants *from)
{
    *to = (struct fs_grants){ .items = mem_alloc(from->count * sizeof *from->items),
                              .count = from->count };
    for (size_t i = 0; i < from->count; i++) {
        to->items[i] = (struct fs_grant){ .path = mem_strdup(from->items[i].path),
                                          .real = mem_strdup(from->items[i].real),
                                          .write = from->items[i].write };
    }
}

void fs_grants_free(struct fs_grants *grants)
{
    for (size_t i = 0; i < grants->count; i++) {
        free(grants->items[i].path);
        free(grants->items[i].real);
    }
    free(grants->items);
    *grants = (struct fs_grants){ 0 };
}
