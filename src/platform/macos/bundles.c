/* Application bundles in the folders where they are installed. */
#include "platform/macos/bundles.h"

#include <dirent.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#include "platform/macos/appkit.h"
#include "platform/macos/macos.h"

enum { BUNDLES_MAX = 4096 };

static const char *const folders[] = {
    "/Applications",
    "/Applications/Utilities",
    "/System/Applications",
    "/System/Applications/Utilities",
    "/System/Library/CoreServices", /* Finder */
    "~/Applications",
};

static bool is_app(const char *name, size_t *stem)
{
    size_t len = strlen(name);

    *stem = len;
    if (len < 5 || strcasecmp(name + len - 4, ".app") != 0)
        return false;
    *stem = len - 4;
    return true;
}

static bool is_folder(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

char *bundle_identifier(const char *path)
{
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path,
                                                           (CFIndex)strlen(path), true);
    CFBundleRef bundle = url ? CFBundleCreate(NULL, url) : NULL;
    char *id = bundle ? cf_text(CFBundleGetIdentifier(bundle), 256, NULL) : mem_strdup("");

    cf_release(bundle);
    cf_release(url);
    return id;
}

static void add_folder(const char *folder, struct bundle_list *out)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    size_t stem;

    while (dir && (entry = readdir(dir)) && out->count < BUNDLES_MAX) {
        struct bundle *bundle;

        if (!is_app(entry->d_name, &stem))
            continue;
        out->items = mem_resize(out->items, sizeof *out->items * (out->count + 1));
        bundle = &out->items[out->count++];
        bundle->name = mem_strndup(entry->d_name, stem);
        bundle->path = mem_printf("%s/%s", folder, entry->d_name);
        bundle->id = bundle_identifier(bundle->path);
    }
    if (dir)
        closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    return strcasecmp(((const struct bundle *)a)->name, ((const struct bundle *)b)->name);
}

void bundles_list(struct bundle_list *out)
{
    const char *home = getenv("HOME");

    *out = (struct bundle_list){ 0 };
    for (size_t i = 0; i < countof(folders); i++) {
        char *own = folders[i][0] == '~' ? mem_printf("%s%s", home ? home : "", folders[i] + 1)
                                         : mem_strdup(folders[i]);

        add_folder(own, out);
        free(own);
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_name);
}

void bundles_free(struct bundle_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].id);
        free(list->items[i].path);
    }
    free(list->items);
    *list = (struct bundle_list){ 0 };
}

static char *only_one(const struct bundle_list *list, const char *name, struct error *err)
{
    size_t stem, count = 0;
    const struct bundle *found = NULL;
    struct buf paths = { 0 };
    char *path;

    is_app(name, &stem);
    for (size_t i = 0; i < list->count; i++) {
        const struct bundle *bundle = &list->items[i];

        if (strcasecmp(bundle->id, name) != 0 &&
            (strlen(bundle->name) != stem || strncasecmp(bundle->name, name, stem) != 0))
            continue;
        buf_addf(&paths, "%s%s", count ? ", " : "", bundle->path);
        found = bundle;
        count++;
    }
    if (count > 1)
        error_set(err, "app_ambiguous", "\"%.80s\" may be any of %s: give the path", name,
                  buf_text(&paths));
    else if (count == 0)
        error_set(err, "app_not_found",
                  "no application is called \"%.100s\": it is no bundle identifier, no path of an "
                  "application and no name in the Applications folders; list the installed ones",
                  name);
    path = count == 1 ? mem_strdup(found->path) : NULL;
    buf_free(&paths);
    return path;
}

char *bundle_find(const char *name, struct error *err)
{
    struct bundle_list list;
    size_t stem;
    char *path;

    if (name[0] == '/') {
        if (is_app(name, &stem) && is_folder(name))
            return mem_strdup(name);
        error_set(err, "app_not_found", "%.200s is no application: its name ends in .app", name);
        return NULL;
    }
    path = appkit_bundle_of(name);
    if (path)
        return path;
    bundles_list(&list);
    path = only_one(&list, name, err);
    bundles_free(&list);
    return path;
}
