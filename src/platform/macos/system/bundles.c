/* Application bundles in the folders where they are installed. */
#include "platform/macos/system/bundles.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#include "platform/macos/system/appkit.h"
#include "platform/macos/system/cf.h"

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

static CFURLRef url_of(const char *path) GIVES_REF;
static CFURLRef url_of(const char *path)
{
    return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path),
                                                   true);
}

/* Returns the identifier; "" if Info.plist has none. */
static char *identifier_of(const char *path)
{
    CFURLRef url = url_of(path);
    CFBundleRef bundle = url ? CFBundleCreate(NULL, url) : NULL;
    char *id = bundle ? cf_text(CFBundleGetIdentifier(bundle), 256, NULL) : mem_strdup("");

    cf_release(bundle);
    cf_release(url);
    return id;
}

/* Returns the icon's file. Info.plist names it with or without its ending. */
static char *icon_of(CFBundleRef bundle)
{
    CFTypeRef name = CFBundleGetValueForInfoDictionaryKey(bundle, CFSTR("CFBundleIconFile"));
    CFURLRef url = NULL;
    UInt8 path[PATH_MAX];
    char *found = NULL;

    if (name && CFGetTypeID(name) == CFStringGetTypeID()) {
        url = CFBundleCopyResourceURL(bundle, name, CFSTR("icns"), NULL);
        if (!url)
            url = CFBundleCopyResourceURL(bundle, name, NULL, NULL);
    }
    if (url && CFURLGetFileSystemRepresentation(url, true, path, sizeof path))
        found = mem_strdup((const char *)path);
    cf_release(url);
    return found;
}

char *bundle_icon(const char *path)
{
    CFURLRef url = url_of(path);
    CFBundleRef bundle = url ? CFBundleCreate(NULL, url) : NULL;
    char *icon = bundle ? icon_of(bundle) : NULL;

    cf_release(bundle);
    cf_release(url);
    return icon ? icon : mem_strdup(path);
}

/* Removes ".app", which is part of the name for users who want to see endings. */
static char *shown_name(const char *path, const char *name)
{
    CFURLRef url = url_of(path);
    CFTypeRef value = NULL;
    size_t stem;
    char *shown;

    if (!url || !CFURLCopyResourcePropertyForKey(url, kCFURLLocalizedNameKey, &value, NULL))
        value = NULL;
    shown = value ? cf_text(value, 256, NULL) : mem_strdup(name);
    if (is_app(shown, &stem))
        shown[stem] = '\0';
    cf_release(value);
    cf_release(url);
    return shown;
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
        bundle->id = identifier_of(bundle->path);
        bundle->shown = shown_name(bundle->path, bundle->name);
    }
    if (dir)
        closedir(dir);
}

static int by_shown_name(const void *a, const void *b)
{
    return strcasecmp(((const struct bundle *)a)->shown, ((const struct bundle *)b)->shown);
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
        qsort(out->items, out->count, sizeof *out->items, by_shown_name);
}

void bundles_free(struct bundle_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].shown);
        free(list->items[i].id);
        free(list->items[i].path);
    }
    free(list->items);
    *list = (struct bundle_list){ 0 };
}

static bool bundle_is_called(const struct bundle *bundle, const char *name, size_t stem)
{
    return strcasecmp(bundle->id, name) == 0 ||
           (strlen(bundle->name) == stem && strncasecmp(bundle->name, name, stem) == 0) ||
           (strlen(bundle->shown) == stem && strncasecmp(bundle->shown, name, stem) == 0);
}

static char *only_bundle(const struct bundle_list *list, const char *name, struct error *err)
{
    size_t stem, count = 0;
    const struct bundle *found = NULL;
    struct buf paths = { 0 };
    char *path;

    is_app(name, &stem);
    for (size_t i = 0; i < list->count; i++) {
        const struct bundle *bundle = &list->items[i];

        if (!bundle_is_called(bundle, name, stem))
            continue;
        buf_addf(&paths, "%s%s", count ? ", " : "", bundle->path);
        found = bundle;
        count++;
    }
    if (count > 1)
        error_set(err, "app_ambiguous",
                  "\"%.80s\" matches several applications: %s. Use the path of one", name,
                  buf_text(&paths));
    else if (count == 0)
        error_set(
            err, "app_not_found",
            "no application is named \"%.100s\": it is not a bundle identifier, the path of an "
            "application or a name in the Applications folders",
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
        size_t len = strlen(name);

        while (len > 1 && name[len - 1] == '/')
            len--;
        path = mem_strndup(name, len);
        if (is_app(path, &stem) && is_folder(path))
            return path;
        free(path);
        error_set(err, "app_not_found",
                  "%.200s is not an application. Use a path that ends in .app", name);
        return NULL;
    }
    path = appkit_bundle_of(name);
    if (path)
        return path;
    bundles_list(&list);
    path = only_bundle(&list, name, err);
    bundles_free(&list);
    return path;
}
