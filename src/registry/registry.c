/* Reloading: scan, load what changed, keep what broke, swap. */
#include "registry/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "io/file.h"
#include "registry/mount.h"
#include "registry/problems.h"
#include "script/sandbox.h"

enum { FILE_BYTES = 4 * 1024 * 1024 };

struct registry {
    struct vm *vm;
    char **roots;
    size_t root_count;
    char **toolsets;
    size_t toolset_count;
    bool all_toolsets;
    void (*changed)(void *arg, unsigned what);
    void *arg;
    void (*updated)(void *arg, const char *uri);
    void *updated_arg;

    void (*loaded)(void *arg);
    void *loaded_arg;
    void (*libs_changed)(void *arg);
    void *libs_arg;
    struct entry **mounted; /* references */
    size_t mounted_count;
    bool remounted; /* since the last reload */

    struct generation *current;
    struct libs *libs;
    struct source_list sources; /* of the last look */
    struct problems problems;
};

static char **copy_list(const char *const *items, size_t count)
{
    char **copy = mem_alloc((count + 1) * sizeof *copy);

    for (size_t i = 0; items && i < count; i++)
        copy[i] = mem_strdup(items[i]);
    copy[count] = NULL;
    return copy;
}

static void free_list(char **items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(items[i]);
    free(items);
}

struct registry *registry_new(struct vm *vm, const struct registry_options *options)
{
    struct registry *registry = mem_zero(sizeof *registry);

    registry->vm = vm;
    registry->roots = copy_list(options->roots, options->root_count);
    registry->root_count = options->root_count;
    registry->all_toolsets = !options->toolsets;
    registry->toolsets = copy_list(options->toolsets, options->toolset_count);
    registry->toolset_count = options->toolset_count;
    registry->changed = options->changed;
    registry->arg = options->arg;
    return registry;
}

void registry_free(struct registry *registry)
{
    if (!registry)
        return;
    generation_free(registry->current);
    for (size_t i = 0; i < registry->mounted_count; i++)
        entry_unref(registry->mounted[i]);
    free(registry->mounted);
    libs_unref(registry->libs);
    sources_free(&registry->sources);
    problems_free(&registry->problems);
    free_list(registry->roots, registry->root_count);
    free_list(registry->toolsets, registry->toolset_count);
    free(registry);
}

/* --- problems ------------------------------------------------------------------- */

/* Adds to `next`; says it in the log unless the last look found the same. */
static void add_problem(struct registry *registry, struct problems *next, const char *path,
                        const char *text, bool kept)
{
    problems_add(next, path, text, kept);
    if (!problems_have(&registry->problems, path, text))
        log_error("cannot load %s: %s%s", path, text,
                  kept ? " (its last good version serves on)" : "");
}

/* --- one reload ------------------------------------------------------------------- */

struct reload {
    struct registry *registry;
    struct source_list sources;
    struct libs *libs;
    struct entry **entries;
    size_t count;
    struct problems problems;
    bool changed;
};

static bool wanted(const struct registry *registry, const struct source *source)
{
    if (source->kind == SOURCE_LIB)
        return false;
    if (!*source->toolset || registry->all_toolsets || strcmp(source->toolset, "engine") == 0)
        return true;
    for (size_t i = 0; i < registry->toolset_count; i++)
        if (strcmp(registry->toolsets[i], source->toolset) == 0)
            return true;
    return false;
}

static struct entry *previous(const struct registry *registry, const struct source *source)
{
    const struct generation *current = registry->current;

    for (size_t i = 0; current && i < current->count; i++)
        if (strcmp(current->entries[i]->path, source->path) == 0)
            return current->entries[i];
    return NULL;
}

static struct entry *load_source(struct reload *reload, const struct source *source,
                                 struct error *err)
{
    struct buf text = { 0 };
    struct entry *entry = NULL;

    if (file_read_all(source->path, FILE_BYTES, &text, err))
        entry = entry_load(reload->registry->vm, reload->libs, source, text.data, text.len, err);
    buf_free(&text);
    return entry;
}

static void take_source(struct reload *reload, const struct source *source)
{
    struct entry *old = previous(reload->registry, source);
    struct entry *entry;
    struct error err;

    if (old && old->libs == reload->libs && stamp_same(&old->stamp, &source->stamp)) {
        reload->entries[reload->count++] = entry_ref(old);
        return;
    }
    entry = load_source(reload, source, &err);
    if (!entry && access(source->path, F_OK) != 0 && errno == ENOENT)
        return; /* gone between the scan and now */
    if (!entry)
        add_problem(reload->registry, &reload->problems, source->path, err.text, old != NULL);
    if (!entry && old)
        entry = entry_ref(old);
    else
        reload->changed = true;
    if (entry)
        reload->entries[reload->count++] = entry;
}

static void on_clash(void *arg, struct entry *entry, const char *alias, struct entry *other)
{
    struct reload *reload = arg;
    char *text =
        mem_printf("%s: duplicate alias '%s': %s answers to it", entry->label, alias, other->label);

    add_problem(reload->registry, &reload->problems, entry->path, text, false);
    free(text);
}

/* Do two generations list the same things of this kind? */
static bool same_list(const struct generation *a, const struct generation *b, enum entry_kind kind)
{
    size_t i = 0, j = 0;

    for (;;) {
        while (a && i < a->count && a->entries[i]->kind != kind)
            i++;
        while (j < b->count && b->entries[j]->kind != kind)
            j++;
        const struct entry *x = a && i < a->count ? a->entries[i++] : NULL;
        const struct entry *y = j < b->count ? b->entries[j++] : NULL;
        if (!x || !y)
            return !x && !y;
        if (x != y && (x->wire_len != y->wire_len || x->here != y->here || x->listed != y->listed ||
                       memcmp(x->wire, y->wire, x->wire_len) != 0))
            return false;
    }
}

/* The first of two files with one URI serves; the other is told of. */
static void find_same_uris(struct reload *reload, const struct generation *next)
{
    for (size_t i = 0; i < next->count; i++) {
        const struct entry *entry = next->entries[i];

        for (size_t j = 0; entry->kind == ENTRY_RESOURCE && entry->libs && j < i; j++) {
            const struct entry *other = next->entries[j];
            char *text;

            if (other->kind != ENTRY_RESOURCE || !other->libs ||
                strcmp(entry->uri, other->uri) != 0)
                continue;
            text =
                mem_printf("%s: the URI %s is that of %s", entry->label, entry->uri, other->label);
            add_problem(reload->registry, &reload->problems, entry->path, text, false);
            free(text);
        }
    }
}

static void swap(struct reload *reload)
{
    struct registry *registry = reload->registry;
    struct generation *old = registry->current;
    struct generation *next =
        generation_new(old ? old->number + 1 : 1, reload->entries, reload->count, on_clash, reload);
    unsigned what = REGISTRY_FILES;

    find_same_uris(reload, next);
    if (!same_list(old, next, ENTRY_TOOL))
        what |= REGISTRY_TOOLS;
    if (!same_list(old, next, ENTRY_PROMPT))
        what |= REGISTRY_PROMPTS;
    if (!same_list(old, next, ENTRY_RESOURCE))
        what |= REGISTRY_RESOURCES;
    registry->current = next;
    if (old && registry->changed)
        registry->changed(registry->arg, what);
    if (old)
        log_debug("generation %u: %zu files", next->number, next->count);
    generation_free(old);
}

static void scan(struct reload *reload)
{
    struct registry *registry = reload->registry;

    sources_scan(&reload->sources, registry->roots, registry->root_count);
    for (size_t i = 0; i < reload->sources.problem_count; i++)
        add_problem(registry, &reload->problems, reload->sources.problems[i].path,
                    reload->sources.problems[i].text, false);
    reload->libs = registry->libs && libs_current(registry->libs, &reload->sources)
                       ? libs_ref(registry->libs)
                       : libs_new(registry->vm, &reload->sources);
    reload->changed = reload->libs != registry->libs || registry->remounted;
    reload->entries =
        mem_zero((reload->sources.count + registry->mounted_count + 1) * sizeof *reload->entries);
}

/* What two entries cannot both have. */
static const char *claim(const struct entry *entry)
{
    return entry->kind == ENTRY_RESOURCE ? entry->uri : entry->name;
}

/* Of two with the same claim the one that comes first in reload.entries comes first. */
static int by_claim(const void *a, const void *b)
{
    struct entry *const *x = *(struct entry *const *const *)a;
    struct entry *const *y = *(struct entry *const *const *)b;
    int order = (int)(*x)->kind - (int)(*y)->kind;

    if (!order)
        order = strcmp(claim(*x), claim(*y));
    return order ? order : x < y ? -1 : x > y;
}

/* Files win, then the mount that comes first. */
static void take_mounted(struct reload *reload)
{
    struct registry *registry = reload->registry;
    size_t files = reload->count, all = files + registry->mounted_count, kept = files;
    struct entry ***sorted = mem_alloc((all + 1) * sizeof *sorted);

    for (size_t i = files; i < all; i++)
        reload->entries[i] = registry->mounted[i - files];
    for (size_t i = 0; i < all; i++)
        sorted[i] = &reload->entries[i];
    qsort(sorted, all, sizeof *sorted, by_claim);
    for (size_t i = all; i-- > 1;) /* from behind: what is blanked has been compared */
        if (sorted[i] >= reload->entries + files && (*sorted[i])->kind == (*sorted[i - 1])->kind &&
            strcmp(claim(*sorted[i]), claim(*sorted[i - 1])) == 0)
            *sorted[i] = NULL;
    for (size_t i = files; i < all; i++)
        if (reload->entries[i])
            reload->entries[kept++] = entry_ref(reload->entries[i]);
    reload->count = kept;
    free(sorted);
    registry->remounted = false;
}

bool registry_reload(struct registry *registry)
{
    struct reload reload = { .registry = registry };
    bool other_libs;

    scan(&reload);
    other_libs = registry->libs && reload.libs != registry->libs;
    for (size_t i = 0; i < reload.sources.count; i++)
        if (wanted(registry, &reload.sources.items[i]))
            take_source(&reload, &reload.sources.items[i]);
    take_mounted(&reload);
    if (!registry->current || reload.changed || reload.count != registry->current->count) {
        swap(&reload);
        reload.changed = true;
    } else {
        for (size_t i = 0; i < reload.count; i++)
            entry_unref(reload.entries[i]);
        free(reload.entries);
    }
    libs_unref(registry->libs);
    registry->libs = reload.libs;
    sources_free(&registry->sources);
    registry->sources = reload.sources;
    problems_free(&registry->problems);
    registry->problems = reload.problems;
    if (other_libs && registry->libs_changed)
        registry->libs_changed(registry->libs_arg);
    return reload.changed;
}

/* --- mounted servers --------------------------------------------------------------- */

/* They stand in the order of the mounts' names, whichever of them answered first. */
void registry_mount(struct registry *registry, const char *mount, struct entry **entries,
                    size_t count)
{
    struct entry **old = registry->mounted;
    size_t old_count = registry->mounted_count, from = 0, kept = 0;
    struct entry **next = mem_zero((old_count + count + 1) * sizeof *next);

    for (; from < old_count && strcmp(old[from]->toolset, mount) < 0; from++)
        next[kept++] = old[from];
    for (size_t i = 0; i < count; i++)
        next[kept++] = entries[i];
    for (; from < old_count && strcmp(old[from]->toolset, mount) == 0; from++)
        entry_unref(old[from]);
    for (; from < old_count; from++)
        next[kept++] = old[from];
    free(old);
    registry->mounted = next;
    registry->mounted_count = kept;
    registry->remounted = true; /* their functions are others, whatever they say of themselves */
    if (registry->current)
        registry_reload(registry);
}

void registry_watch_libs(struct registry *registry, void (*changed)(void *arg), void *arg)
{
    registry->libs_changed = changed;
    registry->libs_arg = arg;
}

bool registry_require(struct registry *registry, const char *module, struct error *err)
{
    struct buf path = { 0 }, source = { 0 };
    char *text;
    bool ok;

    registry_current(registry);
    ok = libs_find(registry->libs, module, &path, &source, err);
    buf_free(&path);
    buf_free(&source);
    if (!ok)
        return error_set(err, "not_found", "there is no lib file %s", module);
    text = mem_printf("return require %c%s%c", '"', module, '"');
    ok = sandbox_run(libs_sandbox(registry->libs), module, text, strlen(text), err);
    free(text);
    return ok;
}

/* --- questions ---------------------------------------------------------------------- */

struct generation *registry_current(struct registry *registry)
{
    if (registry->current)
        return registry->current;
    registry_reload(registry);
    if (registry->loaded)
        registry->loaded(registry->loaded_arg);
    return registry->current;
}

bool registry_loaded(const struct registry *registry)
{
    return registry->current != NULL;
}

bool registry_find_lib(void *arg, const char *name, struct buf *path, struct buf *source,
                       struct error *err)
{
    struct registry *registry = arg;

    registry_current(registry);
    return libs_find(registry->libs, name, path, source, err);
}

const struct problem *registry_problems(const struct registry *registry, size_t *count)
{
    *count = registry->problems.count;
    return registry->problems.items;
}

char *const *registry_roots(const struct registry *registry, size_t *count)
{
    *count = registry->root_count;
    return registry->roots;
}

char *const *registry_folders(const struct registry *registry, size_t *count)
{
    *count = registry->sources.folder_count;
    return registry->sources.folders;
}

char *registry_script(const struct registry *registry, const char *name)
{
    if (!*name || *name == '/' || strstr(name, ".."))
        return NULL;
    for (size_t i = registry->root_count; i-- > 0;) {
        char *path = mem_printf("%s/scripts/%s", registry->roots[i], name);

        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

struct vm *registry_vm(const struct registry *registry)
{
    return registry->vm;
}

void registry_on_loaded(struct registry *registry, void (*loaded)(void *arg), void *arg)
{
    registry->loaded = loaded;
    registry->loaded_arg = arg;
}

void registry_on_updated(struct registry *registry, void (*updated)(void *arg, const char *uri),
                         void *arg)
{
    registry->updated = updated;
    registry->updated_arg = arg;
}

void registry_say_changed(struct registry *registry, unsigned what)
{
    if (registry->changed)
        registry->changed(registry->arg, what);
}

void registry_say_updated(struct registry *registry, const char *uri)
{
    if (registry->updated)
        registry->updated(registry->updated_arg, uri);
}
