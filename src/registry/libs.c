/* A snapshot of where the lib files are; their text is read when first required. */
#include "registry/libs.h"

#include <stdlib.h>

#include "base/distance.h"
#include "files/file.h"

enum { LIB_BYTES = 1024 * 1024 };

struct lib {
    char *name, *path, *label;
    struct stamp stamp;
    int root;
    struct kept_text text, code; /* in the catalog of libs, or none */
    bool used;
    bool unseen; /* nobody looked yet whether the file is as the catalog has it */
};

struct libs {
    int refs;
    struct vm *vm;
    struct sandbox *sandbox;
    struct catalog *catalog; /* a reference, or NULL */
    struct lib *items;
    size_t count;
};

/* Of its own root first, so that nobody else's file changes what a file does. The files that come
 * with the engine, in root 0, see no others. Else the last root that has one. */
static struct lib *find_lib(const struct libs *libs, int home, const char *name)
{
    struct lib *found = NULL;

    for (size_t i = 0; i < libs->count; i++) {
        struct lib *lib = &libs->items[i];

        if (strcmp(lib->name, name) != 0 || (home == 0 && lib->root != 0))
            continue;
        if (lib->root == home)
            return lib;
        if (!found || lib->root > found->root)
            found = lib;
    }
    return found;
}

/* It is about to be loaded: does the catalog have it as it is? If not, the next process is better
 * off without that catalog. */
static void look_at(struct lib *lib)
{
    struct stamp now = { 0 };

    lib->used = true;
    if (!lib->unseen)
        return;
    lib->unseen = false;
    stamp_look(lib->path, &now);
    if (stamp_same(&now, &lib->stamp))
        return;
    catalog_remove(lib->text.catalog);
    lib->stamp = now;
    lib->text = lib->code = (struct kept_text){ 0 };
}

static bool not_found(const struct libs *libs, int home, const char *name, struct error *err)
{
    struct nearest_name nearest = { .typed = name };

    for (size_t i = 0; i < libs->count; i++)
        if (home != 0 || libs->items[i].root == 0)
            nearest_name_try(&nearest, libs->items[i].name);
    if (strncmp(name, "sys.", 4) != 0)
        return error_set(err, "not_found",
                         "module '%s' not found: it is not a sys module, and no root has "
                         "lib/%s.lua%s",
                         name, name, nearest_name_text(&nearest).text);
    vm_nearest_module(vm_lua(libs->vm), &nearest);
    return error_set(err, "not_found", "module '%s' does not exist%s", name,
                     nearest_name_text(&nearest).text);
}

bool libs_find(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
               struct error *err)
{
    const struct libs *libs = arg;
    struct lib *lib = find_lib(libs, *home, name);

    if (!lib)
        return not_found(libs, *home, name, err);
    *home = lib->root;
    if (!path)
        return true;
    look_at(lib);
    buf_adds(path, lib->label);
    if (lib->text.catalog && lib->text.len <= LIB_BYTES && catalog_read(&lib->text, source, NULL))
        return true;
    return file_read_all(lib->path, LIB_BYTES, source, err);
}

bool libs_find_code(void *arg, int *home, const char *name, struct buf *path, struct buf *code)
{
    struct lib *lib = find_lib(arg, *home, name);

    if (lib)
        look_at(lib);
    if (!lib || !lib->code.len || !catalog_read(&lib->code, code, NULL))
        return false;
    *home = lib->root;
    buf_adds(path, lib->label);
    return true;
}

static struct lib lib_of(const struct source *source, struct catalog *catalog)
{
    struct lib lib = { .name = mem_strdup(source->name),
                       .path = mem_strdup(source->path),
                       .label = mem_strdup(source->label),
                       .stamp = source->stamp,
                       .root = (int)source->root };
    const struct kept_file *kept = catalog_find(catalog, source);

    if (kept) {
        lib.text = kept->text;
        lib.code = kept->code;
        lib.used = str_same(kept->declaration, KEPT_USED_LIB);
        lib.unseen = source->unseen;
    }
    return lib;
}

struct libs *libs_new(struct vm *vm, const struct source_list *sources, struct catalog *catalog)
{
    struct libs *libs = mem_zero(sizeof *libs);
    struct sandbox_spec spec = { .find = libs_find, .find_code = libs_find_code, .arg = libs };

    libs->refs = 1;
    libs->vm = vm;
    libs->catalog = catalog ? catalog_ref(catalog) : NULL;
    libs->items = mem_zero((sources->count + 1) * sizeof *libs->items);
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (source->kind == SOURCE_LIB)
            libs->items[libs->count++] = lib_of(source, catalog);
    }
    libs->sandbox = sandbox_new(vm, &spec);
    return libs;
}

bool libs_current(struct libs *libs, const struct source_list *sources)
{
    size_t n = 0;

    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (source->kind != SOURCE_LIB)
            continue;
        if (n == libs->count || strcmp(libs->items[n].path, source->path) != 0 ||
            !stamp_same(&libs->items[n].stamp, &source->stamp))
            return false;
        libs->items[n++].unseen &= source->unseen;
    }
    return n == libs->count;
}

bool libs_used(const struct libs *libs, const char *path)
{
    for (size_t i = 0; i < libs->count; i++)
        if (strcmp(libs->items[i].path, path) == 0)
            return libs->items[i].used;
    return false;
}

struct libs *libs_ref(struct libs *libs)
{
    libs->refs++;
    return libs;
}

struct sandbox *libs_sandbox(struct libs *libs)
{
    return libs->sandbox;
}

struct vm *libs_vm(const struct libs *libs)
{
    return libs->vm;
}

void libs_unref(struct libs *libs)
{
    if (!libs || --libs->refs > 0)
        return;
    sandbox_free(libs->sandbox);
    catalog_unref(libs->catalog);
    for (size_t i = 0; i < libs->count; i++) {
        free(libs->items[i].name);
        free(libs->items[i].path);
        free(libs->items[i].label);
    }
    free(libs->items);
    free(libs);
}
