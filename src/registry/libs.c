/* A snapshot of where the lib files are; their text is read when first required. */
#include "registry/libs.h"

#include <stdlib.h>

#include "base/distance.h"
#include "registry/source_text.h"

enum { LIB_BYTES = 1024 * 1024 };

struct lib {
    struct source source;          /* owned, without a toolset */
    struct cached_text text, code; /* in the catalog of libs, or none */
    bool used;
};

struct libs {
    int refs;
    struct vm *vm;
    struct sandbox *sandbox;
    struct catalog *catalog; /* a reference, or NULL */
    struct lib *items;
    size_t count;
    int packs; /* homes from here on are packs' */
};

static int home_of(const struct lib *lib)
{
    return (int)lib->source.root;
}

/* Does a file of this home see that lib file? The files that come with the engine, in root 0, see
 * no others; a pack's are its own, and it sees only those and the engine's. */
static bool home_sees_lib(const struct libs *libs, int home, const struct lib *lib)
{
    if (home_of(lib) == home || home_of(lib) == HOME_SHIPPED)
        return true;
    return home != HOME_SHIPPED && home < libs->packs && home_of(lib) < libs->packs;
}

/* Finds it in its own root first, so that nobody else's file changes what a file does, otherwise in
 * the last root that has it. */
static struct lib *find_lib(const struct libs *libs, int home, const char *name)
{
    struct lib *found = NULL;

    for (size_t i = 0; i < libs->count; i++) {
        struct lib *lib = &libs->items[i];

        if (strcmp(lib->source.name, name) != 0 || !home_sees_lib(libs, home, lib))
            continue;
        if (home_of(lib) == home)
            return lib;
        if (!found || home_of(lib) > home_of(found))
            found = lib;
    }
    return found;
}

/* It is about to be loaded: does the catalog have it as it is? If not, the next process is better
 * off without that catalog. */
static void look_at_lib(struct lib *lib)
{
    struct stamp now = { 0 };

    lib->used = true;
    if (!lib->source.unseen)
        return;
    lib->source.unseen = false;
    stamp_look(lib->source.path, &now);
    if (stamp_same(&now, &lib->source.stamp))
        return;
    catalog_remove(lib->text.catalog);
    lib->source.stamp = now;
    lib->text = lib->code = (struct cached_text){ 0 };
}

static bool lib_not_found(const struct libs *libs, int home, const char *name, struct error *err)
{
    struct nearest_name nearest = { .typed = name };
    bool testing = strncmp(name, "testing.", strlen("testing.")) == 0;

    for (size_t i = 0; i < libs->count; i++)
        if (home_sees_lib(libs, home, &libs->items[i]))
            nearest_name_try(&nearest, libs->items[i].source.name);
    if (strncmp(name, "sys.", 4) != 0)
        return error_set(err, "not_found",
                         "module '%s' not found: it is not a sys module, and no root has "
                         "%s/%s.lua%s",
                         name, testing ? "testing" : "lib", testing ? strchr(name, '.') + 1 : name,
                         nearest_name_text(&nearest).text);
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
        return lib_not_found(libs, *home, name, err);
    *home = home_of(lib);
    if (!path)
        return true;
    look_at_lib(lib);
    buf_adds(path, lib->source.label);
    if (lib->text.catalog && lib->text.len <= LIB_BYTES && catalog_read(&lib->text, source, NULL))
        return true;
    return source_text(&lib->source, LIB_BYTES, source, err);
}

/* For what runs in the engine. */
static bool find_engine_lib(void *arg, int *home, const char *name, struct buf *path,
                            struct buf *source, struct error *err)
{
    const struct lib *lib = find_lib(arg, *home, name);

    if (lib && lib->source.foreign)
        return error_set(err, "not_approved", "%s: its pack is not approved", lib->source.label);
    return libs_find(arg, home, name, path, source, err);
}

static bool find_code(void *arg, int *home, const char *name, struct buf *path, struct buf *code)
{
    struct lib *lib = find_lib(arg, *home, name);

    if (lib && lib->source.foreign)
        return false;
    if (lib)
        look_at_lib(lib);
    if (!lib || !lib->code.len || !catalog_read(&lib->code, code, NULL))
        return false;
    *home = home_of(lib);
    buf_adds(path, lib->source.label);
    return true;
}

static struct lib lib_of(const struct source *source, struct catalog *catalog)
{
    struct lib lib = { .source = *source };
    const struct cached_file *kept = catalog_find(catalog, source);

    lib.source.name = mem_strdup(source->name);
    lib.source.path = mem_strdup(source->path);
    lib.source.label = mem_strdup(source->label);
    lib.source.toolset = NULL;
    lib.source.unseen = kept && source->unseen;
    if (kept) {
        lib.text = kept->text;
        lib.code = kept->code;
        lib.used = str_same(kept->declaration, CACHED_USED_LIB);
    }
    return lib;
}

struct libs *libs_new(struct vm *vm, const struct source_list *sources, struct catalog *catalog)
{
    struct libs *libs = mem_zero(sizeof *libs);
    struct sandbox_spec spec = { .find = find_engine_lib, .find_code = find_code, .arg = libs };

    libs->refs = 1;
    libs->vm = vm;
    libs->catalog = catalog ? catalog_ref(catalog) : NULL;
    libs->packs = (int)sources->root_count;
    libs->items = mem_alloc((sources->count + 1) * sizeof *libs->items);
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (source->kind == SOURCE_LIB)
            libs->items[libs->count++] = lib_of(source, catalog);
    }
    libs->sandbox = sandbox_new(vm, &spec);
    return libs;
}

static bool is_same_source(const struct source *a, const struct source *b)
{
    return strcmp(a->path, b->path) == 0 && a->root == b->root && a->foreign == b->foreign &&
           a->bound == b->bound && stamp_same(&a->stamp, &b->stamp);
}

bool libs_current(struct libs *libs, const struct source_list *sources)
{
    size_t n = 0;

    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (source->kind != SOURCE_LIB)
            continue;
        if (n == libs->count || !is_same_source(&libs->items[n].source, source))
            return false;
        libs->items[n++].source.unseen &= source->unseen;
    }
    return n == libs->count;
}

bool libs_used(const struct libs *libs, const char *path)
{
    for (size_t i = 0; i < libs->count; i++)
        if (strcmp(libs->items[i].source.path, path) == 0)
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
        free(libs->items[i].source.name);
        free(libs->items[i].source.path);
        free(libs->items[i].source.label);
    }
    free(libs->items);
    free(libs);
}
