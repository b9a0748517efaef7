/* Finds the root that a file of tests belongs to, and runs the file on the libs of that root. */
#include "registry/test_file.h"
#include "registry/registry_struct.h"
#include "registry/source_text.h"

#include <stdlib.h>

/* "tests/tools/x_test.lua" of a path in this folder; NULL: the path is elsewhere. */
static const char *test_label(const char *path, const char *folder, size_t len)
{
    static const char tests[] = "/tests/";

    return strncmp(path, folder, len) == 0 && strncmp(path + len, tests, strlen(tests)) == 0
               ? path + len + 1
               : NULL;
}

/* A pack counts as it was approved. */
static bool find_in_pack(const struct pack *pack, struct source *source, struct error *err)
{
    const char *inside = test_label(source->path, pack->path, strlen(pack->path));
    const struct pack_file *file = inside ? pack_files_find(&pack->files, inside) : NULL;

    if (!inside)
        return false;
    if (!pack->approved)
        return error_set(err, "not_approved", "%s: its pack is not approved", inside);
    source->label = mem_printf("packs/%s/%s", pack->name, inside);
    source->bound = true;
    if (file)
        memcpy(source->sum, pack->sums[file - pack->files.items], sizeof source->sum);
    return true;
}

/* Fills label and root. */
static bool find_place(const struct registry *registry, struct source *source, struct error *err)
{
    size_t count = 0;
    const struct pack *packs = registry->packs ? packs_all(registry->packs, &count) : NULL;

    error_set(err, "not_found", "%s is not in the tests/ of a root", source->path);
    if (strstr(source->path, "/../"))
        return false;
    for (size_t i = 0; i < registry->root_count; i++) {
        const char *root = registry->roots[i], *end = strrchr(root, '/');
        const char *label = test_label(source->path, root, strlen(root));

        if (!label && i == HOME_SHIPPED && end)
            label = test_label(source->path, root, (size_t)(end - root));
        if (!label)
            continue;
        source->label = mem_strdup(label);
        source->root = i;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!find_in_pack(&packs[i], source, err))
            continue;
        source->root = registry->root_count + packs[i].place;
        return true;
    }
    return false;
}

static bool run_test_file(struct registry *registry, const struct source *source, struct str text,
                          struct error *err)
{
    struct sandbox *sandbox;
    bool ok;

    registry_find_files(registry);
    sandbox = libs_sandbox(registry->libs);
    if (!registry->reload)
        sandbox_remember(sandbox, true);
    ok = sandbox_load_file(sandbox, (int)source->root, source->label, text.ptr, text.len, err) &&
         vm_call(registry->vm, 0, 1, SANDBOX_LOAD_MS, err);
    if (!registry->reload)
        sandbox_remember(sandbox, false);
    return ok;
}

bool test_file_run(struct registry *registry, const char *path, struct error *err)
{
    struct source source = { .kind = SOURCE_LIB, .path = (char *)(uintptr_t)path };
    struct buf text = { 0 };
    bool ok = find_place(registry, &source, err) &&
              source_text(&source, LUA_FILE_MAX, &text, err) &&
              run_test_file(registry, &source, (struct str){ text.data, text.len }, err);

    buf_free(&text);
    free(source.label);
    return ok;
}
