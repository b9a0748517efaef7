/* Reloading: scan, load what changed, keep what broke, swap. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "base/log.h"
#include "files/file.h"
#include "registry/entry_load.h"
#include "registry/registry_struct.h"

/* A look at the disk counts for what is loaded right behind it. */
enum { FRESH_NS = 20 * 1000 * 1000 };

/* --- problems ------------------------------------------------------------------- */

/* Adds to `next`; says it in the log unless the last look found the same. */
static void add_problem(struct registry *registry, struct problems *next, const char *path,
                        const char *text, bool kept)
{
    problems_add(next, path, text, kept);
    if (!problems_have(&registry->problems, path, text))
        log_error("cannot load %s: %s%s", path, text,
                  kept ? " (its last good version stays in use)" : "");
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
    if (source->kind == SOURCE_LIB || source->kind == SOURCE_COMMAND)
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

static struct entry *load_source(struct vm *vm, struct libs *libs, const struct source *source,
                                 struct error *err)
{
    struct buf text = { 0 };
    struct entry *entry = NULL;

    if (file_read_all(source->path, LUA_FILE_MAX, &text, err))
        entry = entry_load(vm, libs, source, text.data, text.len, err);
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
    entry = load_source(reload->registry->vm, reload->libs, source, &err);
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
    char *text = mem_printf("%s: duplicate alias '%s': %s already has it", entry->label, alias,
                            other->label);

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
            text = mem_printf("%s: the URI %s already belongs to %s", entry->label, entry->uri,
                              other->label);
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

static void take_sources(struct source_list *to, struct source_list *from)
{
    *to = *from;
    *from = (struct source_list){ 0 };
}

static void scan(struct reload *reload)
{
    struct registry *registry = reload->registry;

    if (registry->looked && uv_hrtime() - registry->looked < FRESH_NS)
        take_sources(&reload->sources, &registry->sources);
    else
        sources_scan(&reload->sources, registry->roots, registry->root_count);
    registry->looked = 0;
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

void registry_find_files(struct registry *registry)
{
    if (registry->libs)
        return;
    sources_scan(&registry->sources, registry->roots, registry->root_count);
    registry->looked = uv_hrtime();
    registry->libs = libs_new(registry->vm, &registry->sources);
}

struct entry *registry_load_alone(struct registry *registry, enum source_kind kind,
                                  const char *name, struct error *err)
{
    const struct source *source;

    registry_find_files(registry);
    source = sources_find(&registry->sources, kind, name);
    if (source)
        return load_source(registry->vm, registry->libs, source, err);
    error_set(err, "not_found", "no root has a file '%s' of this kind", name);
    return NULL;
}
