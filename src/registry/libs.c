/* A snapshot of where the lib files are; their text is read when first required. */
#include "registry/libs.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/distance.h"
#include "registry/source_text.h"

enum { LIB_BYTES = 1024 * 1024 };

struct lib {
    struct source source;          /* owned, without a toolset */
    struct cached_text text, code; /* in the catalog of libs, or none */
    bool used;
    bool touched; /* by the last change: itself, or what it requires */
};

struct lib_list {
    struct lib *items;
    size_t count;
};

struct libs {
    int refs;
    struct vm *vm;
    struct sandbox *sandbox;
    struct catalog *catalog; /* a reference, or NULL */
    struct lib_list now;
    struct lib_list before; /* the last change; empty: there was none */
    int packs;              /* homes from here on are packs' */
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
static struct lib *find_lib_in(const struct libs *libs, const struct lib_list *list, int home,
                               const char *name)
{
    struct lib *found = NULL;

    for (size_t i = 0; i < list->count; i++) {
        struct lib *lib = &list->items[i];

        if (strcmp(lib->source.name, name) != 0 || !home_sees_lib(libs, home, lib))
            continue;
        if (home_of(lib) == home)
            return lib;
        if (!found || home_of(lib) > home_of(found))
            found = lib;
    }
    return found;
}

static struct lib *find_lib(const struct libs *libs, int home, const char *name)
{
    return find_lib_in(libs, &libs->now, home, name);
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

    for (size_t i = 0; i < libs->now.count; i++)
        if (home_sees_lib(libs, home, &libs->now.items[i]))
            nearest_name_try(&nearest, libs->now.items[i].source.name);
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

static struct lib_list list_libs(const struct source_list *sources, struct catalog *catalog)
{
    struct lib_list list = { .items = mem_alloc((sources->count + 1) * sizeof *list.items) };

    for (size_t i = 0; i < sources->count; i++)
        if (sources->items[i].kind == SOURCE_LIB)
            list.items[list.count++] = lib_of(&sources->items[i], catalog);
    return list;
}

static void free_list(struct lib_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].source.name);
        free(list->items[i].source.path);
        free(list->items[i].source.label);
    }
    free(list->items);
    *list = (struct lib_list){ 0 };
}

struct libs *libs_new(struct vm *vm, const struct source_list *sources, struct catalog *catalog)
{
    struct libs *libs = mem_zero(sizeof *libs);
    struct sandbox_spec spec = { .find = find_engine_lib, .find_code = find_code, .arg = libs };

    libs->refs = 1;
    libs->vm = vm;
    libs->catalog = catalog ? catalog_ref(catalog) : NULL;
    libs->packs = (int)sources->root_count;
    libs->now = list_libs(sources, catalog);
    libs->sandbox = sandbox_new(vm, &spec);
    return libs;
}

static bool is_same_source(const struct source *a, const struct source *b)
{
    return strcmp(a->path, b->path) == 0 && a->root == b->root && a->foreign == b->foreign &&
           a->bound == b->bound && stamp_same(&a->stamp, &b->stamp);
}

struct libs *libs_apart(const struct libs *others, const struct source_list *sources)
{
    struct libs *libs = libs_new(others->vm, sources, NULL);
    size_t at = 0, count = others->now.count; /* both lists have nearly the same order */

    libs->catalog = others->catalog ? catalog_ref(others->catalog) : NULL;
    for (size_t i = 0; i < libs->now.count; i++) {
        struct lib *lib = &libs->now.items[i];

        for (size_t tried = 0; tried < count; tried++, at = (at + 1) % count)
            if (is_same_source(&others->now.items[at].source, &lib->source)) {
                lib->text = others->now.items[at].text;
                lib->code = others->now.items[at].code;
                break;
            }
    }
    return libs;
}

bool libs_current(struct libs *libs, const struct source_list *sources)
{
    size_t n = 0;

    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (source->kind != SOURCE_LIB)
            continue;
        if (n == libs->now.count || !is_same_source(&libs->now.items[n].source, source))
            return false;
        libs->now.items[n++].source.unseen &= source->unseen;
    }
    return n == libs->now.count;
}

/* --- a change ------------------------------------------------------------------------- */

/* Does the name mean something else to a file of this home since the change? */
static bool is_name_touched(const struct libs *libs, int home, const char *name)
{
    const struct lib *was = find_lib_in(libs, &libs->before, home, name);
    const struct lib *is = find_lib(libs, home, name);

    return !was || !is ? was != is : is->touched || home_of(was) != home_of(is);
}

/* Takes over what is known of the files that are as they were, and marks all others in both lists.
 * False: one that comes with the engine is among those. */
static bool compare_lists(struct lib_list *before, struct lib_list *now)
{
    bool shipped = true;

    for (size_t i = 0; i < before->count; i++)
        before->items[i].touched = true;
    for (size_t i = 0; i < now->count; i++) {
        struct lib *lib = &now->items[i], *old = before->items, *end = old + before->count;

        while (old < end &&
               (home_of(old) != home_of(lib) || strcmp(old->source.name, lib->source.name) != 0))
            old++;
        lib->touched = old == end || !is_same_source(&old->source, &lib->source);
        if (lib->touched) {
            shipped &= home_of(lib) != HOME_SHIPPED;
            continue;
        }
        old->touched = false;
        lib->text = old->text;
        lib->code = old->code;
        lib->used = old->used;
        lib->source.unseen &= old->source.unseen;
    }
    for (size_t i = 0; i < before->count; i++)
        shipped &= !before->items[i].touched || home_of(&before->items[i]) != HOME_SHIPPED;
    return shipped;
}

/* Pushes the key of a module, for the sandbox. */
static const char *push_key(lua_State *L, const struct lib *lib)
{
    return lua_pushfstring(L, "%d:%s", home_of(lib), lib->source.name);
}

/* Is one of the names touched that the record on top has? Pops it. */
static bool is_record_touched(lua_State *L, const struct libs *libs, int home)
{
    int record = lua_gettop(L);
    bool touched = false;

    for (lua_pushnil(L); !touched && lua_next(L, record); lua_pop(L, 1))
        touched = is_name_touched(libs, home, lua_tostring(L, -2));
    lua_settop(L, record - 1);
    return touched;
}

/* (libs): marks what requires what is marked, and forgets all that. */
static int spread_change(lua_State *L)
{
    struct libs *libs = lua_touserdata(L, 1);
    bool again = true;

    while (again) {
        again = false;
        for (size_t i = 0; i < libs->now.count; i++) {
            struct lib *lib = &libs->now.items[i];

            if (!lib->touched && home_of(lib) != HOME_SHIPPED &&
                sandbox_push_record(libs->sandbox, L, push_key(L, lib)))
                again |= lib->touched = is_record_touched(L, libs, home_of(lib));
            lua_settop(L, 1);
        }
    }
    for (int n = 0; n < 2; n++) {
        const struct lib_list *list = n ? &libs->before : &libs->now;

        for (size_t i = 0; i < list->count; lua_settop(L, 1), i++)
            if (list->items[i].touched)
                sandbox_forget(libs->sandbox, L, push_key(L, &list->items[i]));
    }
    return 0;
}

bool libs_change(struct libs *libs, const struct source_list *sources)
{
    struct lib_list now = list_libs(sources, NULL);

    if (!compare_lists(&libs->now, &now)) {
        free_list(&now);
        return false;
    }
    free_list(&libs->before);
    libs->before = libs->now;
    libs->now = now;
    return vm_run(libs->vm, spread_change, libs, NULL);
}

struct libs_question {
    const struct libs *libs;
    int home;
    const char *label;
    bool known, touched;
};

/* (question) */
static int look_at_record(lua_State *L)
{
    struct libs_question *ask = lua_touserdata(L, 1);
    const char *key = lua_pushfstring(L, "file %d:%s", ask->home, ask->label);

    ask->known = sandbox_push_record(ask->libs->sandbox, L, key);
    if (ask->known)
        ask->touched = is_record_touched(L, ask->libs, ask->home);
    return 0;
}

/* Adds what the record on top has to the set under it, and what libs of the root among these have.
 * Pops the record. */
static void add_record(lua_State *L, const struct libs *libs, int home, int depth)
{
    int record = lua_gettop(L), set = record - 1;

    luaL_checkstack(L, 8, NULL);
    for (lua_pushnil(L); depth && lua_next(L, record);) {
        lua_pop(L, 1); /* set, record, name */
        lua_pushvalue(L, -1);
        if (lua_rawget(L, set) == LUA_TNIL) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, set);
            lua_pushvalue(L, set);
            if (sandbox_push_record(libs->sandbox, L,
                                    lua_pushfstring(L, "%d:%s", home, lua_tostring(L, -3)))) {
                lua_remove(L, -2);
                add_record(L, libs, home, depth - 1);
            } else {
                lua_pop(L, 1);
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_settop(L, set);
}

void libs_push_required(const struct libs *libs, lua_State *L, int home, const char *label)
{
    const char *key = lua_pushfstring(L, "file %d:%s", home, label);

    lua_newtable(L);
    if (sandbox_push_record(libs->sandbox, L, key))
        add_record(L, libs, home, 16);
    lua_remove(L, -2);
}

/* Is one of the files touched that are seen from there? */
static bool sees_touched(const struct libs *libs, const struct lib_list *list, int home)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].touched && home_sees_lib(libs, home, &list->items[i]))
            return true;
    return false;
}

bool libs_touched(struct libs *libs, int home, const char *label)
{
    struct libs_question ask = { .libs = libs, .home = home, .label = label };

    if (home == HOME_SHIPPED)
        return false;
    if (label && vm_run(libs->vm, look_at_record, &ask, NULL) && ask.known)
        return ask.touched;
    return sees_touched(libs, &libs->before, home) || sees_touched(libs, &libs->now, home);
}

bool libs_used(const struct libs *libs, const char *path)
{
    for (size_t i = 0; i < libs->now.count; i++)
        if (strcmp(libs->now.items[i].source.path, path) == 0)
            return libs->now.items[i].used;
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
    free_list(&libs->now);
    free_list(&libs->before);
    free(libs);
}
