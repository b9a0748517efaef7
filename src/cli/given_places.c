/* Looks at the disk before an engine is made. */
#include "cli/given_places.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/distance.h"
#include "base/log.h"
#include "cli/nearest.h"
#include "files/file.h"
#include "files/paths.h"
#include "registry/registry.h"

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* --- names in a directory ------------------------------------------------------------- */

struct names {
    char **items; /* owned */
    size_t count;
};

static void names_put(struct names *names, char *name)
{
    names->items = mem_resize(names->items, (names->count + 1) * sizeof *names->items);
    names->items[names->count++] = name;
}

static void names_add(struct names *names, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        if (*entry->d_name != '.')
            names_put(names, mem_strdup(entry->d_name));
    }
    if (dir)
        closedir(dir);
}

static void names_free(struct names *names)
{
    while (names->count)
        free(names->items[--names->count]);
    free(names->items);
}

char *given_file_nearest(const char *path)
{
    const char *name = path_name(path);
    char *folder = name == path ? mem_strdup(".") : mem_strndup(path, (size_t)(name - path)),
         *found;
    struct nearest_name nearest = { .typed = name };
    struct names names = { 0 };

    names_add(&names, folder);
    for (size_t i = 0; i < names.count; i++)
        nearest_name_try(&nearest, names.items[i]);
    found = nearest.found ? mem_printf("%.*s%s", (int)(name - path), path, nearest.found) : NULL;
    names_free(&names);
    free(folder);
    return found;
}

/* --- roots ------------------------------------------------------------------------------ */

static bool check_given_root(const char *root, bool waits, struct error *err)
{
    char *near;

    if (is_folder(root))
        return true;
    if (waits) {
        log_warn("the root \"%s\" is not there yet; its files are loaded when it is", root);
        return true;
    }
    near = given_file_nearest(root);
    error_set(err, "usage", "--root %.200s is not a directory%s%.150s%s", root,
              near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
    free(near);
    return false;
}

/* --- the file of servers ---------------------------------------------------------------- */

static bool check_config(const char *config, bool waits, struct error *err)
{
    char *path = path_expand_home(config), *near;
    bool there = access(path, F_OK) == 0;

    if (!there && waits)
        log_warn("--config %s: there is no such file yet", config);
    if (there || waits) {
        free(path);
        return true;
    }
    near = given_file_nearest(path);
    error_set(err, "usage", "--config %.200s: there is no such file%s%.150s%s", config,
              near ? ". Did you mean " : "", near ? near : "", near ? "?" : "");
    free(near);
    free(path);
    return false;
}

/* --- toolsets ------------------------------------------------------------------------------ */

/* Each pack is a toolset, or a foreign one. */
static void add_pack_toolsets(struct names *known, char *home)
{
    char *folder = home ? path_join(home, "packs") : NULL;
    struct names packs = { 0 };

    if (folder)
        names_add(&packs, folder);
    for (size_t i = 0; i < packs.count; i++) {
        names_put(known, mem_printf("packs/%s", packs.items[i]));
        names_put(known, mem_printf("foreign/packs/%s", packs.items[i]));
    }
    names_free(&packs);
    free(folder);
    free(home);
}

static void add_toolsets(struct names *known, char *root)
{
    char *folder = root ? path_join(root, "tools") : NULL;

    if (folder)
        names_add(known, folder);
    free(folder);
    free(root);
}

/* With all there are: there are few. */
static bool refuse_toolset(const struct names *known, const char *name, struct error *err)
{
    struct buf all = { 0 };

    for (size_t i = 0; i < known->count; i++) {
        bool again = false;

        for (size_t j = 0; j < i && !again; j++)
            again = strcmp(known->items[i], known->items[j]) == 0;
        if (!again)
            buf_addf(&all, "%s%s", i ? ", " : "", known->items[i]);
    }
    error_set(err, "usage", "there is no toolset \"%.60s\"; there are %.240s", name,
              buf_text(&all));
    buf_free(&all);
    return false;
}

static bool check_toolset(const struct names *known, const char *name, struct error *err)
{
    struct nearest nearest = { .count = 0 };

    if (strcmp(name, "engine") == 0 || strcmp(name, TOOLSET_CODE) == 0)
        return true;
    for (size_t i = 0; i < known->count; i++) {
        if (strcmp(known->items[i], name) == 0)
            return true;
        nearest_add(&nearest, name, known->items[i]);
    }
    if (nearest.count)
        return error_set(err, "usage", "there is no toolset \"%.60s\"%s", name,
                         nearest_text(&nearest, ": ", ""));
    return refuse_toolset(known, name, err);
}

static bool check_toolsets(const struct common *common, struct error *err)
{
    struct names known = { 0 };
    bool ok = true;

    add_toolsets(&known, path_shipped_lua());
    if (!common->no_user_root) {
        add_toolsets(&known, path_user_home());
        add_pack_toolsets(&known, path_user_home());
    }
    for (size_t i = 0; i < common->roots.count; i++)
        add_toolsets(&known, mem_strdup(common->roots.items[i]));
    names_put(&known, mem_strdup(TOOLSETS_ALL));
    for (size_t i = 0; ok && i < common->toolsets.count; i++)
        ok = check_toolset(&known, common->toolsets.items[i], err);
    names_free(&known);
    return ok;
}

bool given_places_check(const struct common *common, bool waits, struct error *err)
{
    bool all = true;

    for (size_t i = 0; i < common->roots.count; i++) {
        if (!check_given_root(common->roots.items[i], waits, err))
            return false;
        all = all && is_folder(common->roots.items[i]);
    }
    if (common->config && !common->mounts.count && !check_config(common->config, waits, err))
        return false; /* mounting says more of it */
    if (!common->toolsets.count || common->mounts.count || !all)
        return true;
    return check_toolsets(common, err);
}
